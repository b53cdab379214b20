//! Policies: settings of an organization, which a repository adds to and tightens. What a repository loosens has no effect where the
//! policy sets a value, and is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::faults::Faults;
use super::settings::{EXTENDS, Settings};
use super::table::Table;
use super::written::Written;
use super::{Config, Levels, Requirement, SETTINGS, paths};
use crate::rule::{Level, Severity};
use crate::rules::loosened_policy;
use skilltree_front_matter::text::{grouped, shortened};
use skilltree_skills::roots::Exclude;
use skilltree_skills::snapshot::{Body, File};
use toml::de::DeTable;

/// Maximum length of a pattern in a message, in code points.
const SHOWN: usize = 80;

const HELP: &str = "remove it, or ask the owner of the policy to change the policy";

/// Returns the path of the file in the same tree that a settings file extends, and its range there; `None` if it extends none, or cannot be
/// read at all.
pub fn extended(settings: &File) -> Option<(String, Range<usize>)> {
    let Body::Text(bytes) = &settings.body else { return None };
    let text = std::str::from_utf8(bytes).ok()?;
    let table = DeTable::parse(text).ok()?;
    let path = Table::new(table.get_ref()).string(EXTENDS, &mut Faults::default())?;
    let file = paths::file(path.value).ok().filter(|path| path != SETTINGS)?;
    Some((file, path.range))
}

/// The settings of one file, or of several that lie over each other.
pub(super) struct Layer {
    pub(super) config: Config,
    pub(super) settings: Settings,
}

/// Lays the settings of a file over a policy. The faults are about this file, which is the last of its configuration.
pub(super) fn lay(own: Layer, policy: Layer, faults: &mut Faults) -> Layer {
    let Layer { mut config, mut settings } = own;
    let Layer { config: floor, settings: below } = policy;
    let text = config.files.last().map(|file| &file.body);
    let bytes = if let Some(Body::Text(bytes)) = text { bytes.clone() } else { Vec::new() };
    let mut over = Over { written: Written::of(&bytes), faults };
    over.levels(&mut config.levels, &floor);
    over.values(&mut config, &mut settings, (&floor, &below));
    over.limits(&mut config, &floor);
    over.requirements(&mut config, &floor);
    over.searched(&settings, &below);

    for target in floor.targets {
        if !config.targets.contains(&target) {
            config.targets.push(target);
        }
    }
    settings.roots.splice(0..0, below.roots);
    // The roots of the repository are added to what the policy checks.
    settings.names_roots = below.names_roots;
    settings.exclude = Exclude::joined(below.exclude, settings.exclude);
    settings.lists.splice(0..0, below.lists);
    let mirrors = floor.copies.mirrors.into_iter().filter(|group| !config.copies.mirrors.contains(group));
    config.copies.mirrors.extend(mirrors.collect::<Vec<_>>());
    let deployed = floor.copies.deployments.into_iter().filter(|one| !config.copies.deployments.contains(one));
    config.copies.deployments.extend(deployed.collect::<Vec<_>>());
    config.template = config.template.or(floor.template);
    config.routes.splice(0..0, floor.routes);
    // An ignore of the policy is for many repositories: it may be unused in this one.
    let ignores = floor.ignores.into_iter().map(|ignore| super::Ignore { written: None, ..ignore });
    config.ignores.retain(|ignore| ignore.rule.id() != loosened_policy::RULE.id());
    config.ignores.splice(0..0, ignores);
    config.error_on_empty |= floor.error_on_empty;
    Layer { config, settings }
}

/// A file that lies over a policy.
struct Over<'a> {
    written: Written<'a>,
    faults: &'a mut Faults,
}

impl Over<'_> {
    fn report(&mut self, keys: &[&str], message: String) {
        let range = self.written.place(keys);
        self.faults.loosened(range, message, HELP);
    }

    /// Makes the levels of the policy the lowest ones.
    fn levels(&mut self, levels: &mut Levels, floor: &Config) {
        let mut lowest = floor.levels.clone();
        let own = floor.requirements.iter().map(|one| (one.rule.clone(), one.rule.level));
        // The policy decides about the rule that reports what a repository loosens.
        let reported = &loosened_policy::RULE;
        for (rule, level) in own.chain([(reported.into(), reported.level)]) {
            if lowest.least(&rule).is_none() {
                lowest.set.insert(rule, level);
            }
        }
        let lowered = |rule: &str, new: Level, old: Level| {
            format!("`{rule}` is {}, but the policy sets {}, which applies", new.name(), old.name())
        };
        for (rule, &level) in &levels.set {
            if let Some(least) = lowest.least(rule).filter(|&least| level < least) {
                self.report(&["rules", rule.id()], lowered(rule.id(), level, least));
            }
        }
        for entry in &levels.overrides {
            for (rule, &level) in &entry.levels {
                let same = lowest.of_patterns(&entry.patterns, rule);
                if let Some(least) = same.max(lowest.least(rule)).filter(|&least| level < least) {
                    self.faults.loosened(entry.written.clone(), lowered(rule.id(), level, least), HELP);
                }
            }
        }
        levels.floor = Some(Box::new(lowest));
    }

    /// Lays single values over those of the policy.
    fn values(&mut self, config: &mut Config, settings: &mut Settings, (floor, below): (&Config, &Settings)) {
        let (edition, least) = (config.levels.defaults.edition, floor.levels.defaults.edition);
        if !settings.has("edition") {
            config.levels.defaults.edition = least;
        } else if below.has("edition") && edition < least {
            self.report(
                &["edition"],
                format!("the edition is {}, but the policy sets {}, which applies", edition.0, least.0),
            );
            config.levels.defaults.edition = least;
        }
        let most = floor.min_severity.unwrap_or(Severity::Note);
        if let Some(severity) = config.min_severity.filter(|&severity| severity > most) {
            self.report(&["min-severity"], format!("findings below {} are hidden", severity.name()));
        }
        config.min_severity = match (config.min_severity, floor.min_severity) {
            (Some(own), Some(floor)) => Some(own.min(floor)),
            (own, floor) => own.or(floor),
        };
        if settings.has("error-on-empty") && floor.error_on_empty && !config.error_on_empty {
            self.report(
                &["error-on-empty"],
                "`error-on-empty` is false, but the policy sets true, which applies".into(),
            );
        }
        if below.has("versions") {
            if settings.has("versions") && config.versions != floor.versions {
                self.report(&["versions"], "the policy sets `[versions]`, which applies".into());
            }
            config.versions.clone_from(&floor.versions);
        }
        settings.written.extend(below.written.iter().cloned());
    }

    /// Lowers limits to those that the policy sets.
    fn limits(&mut self, config: &mut Config, floor: &Config) {
        let limits: Vec<_> = floor.limits.iter().filter(|(name, _)| floor.set_limits.contains(name)).collect();
        for (name, most) in limits {
            let Some(most) = most else { continue };
            let own = config.limits.iter().find(|(known, _)| *known == name).and_then(|(_, limit)| limit);
            let own = own.filter(|_| config.set_limits.contains(name));
            if let Some(limit) = own.filter(|&limit| limit > most) {
                let message =
                    format!("`{name}` is {}, but the policy sets {}, which applies", grouped(limit), grouped(most));
                self.report(&["limits", name], message);
            }
            config.limits.set(name, own.map_or(most, |limit| limit.min(most)));
            config.set_limits.insert(name);
        }
    }

    /// Adds the rules of the policy. A repository cannot define one of them again.
    fn requirements(&mut self, config: &mut Config, floor: &Config) {
        let known: BTreeMap<&str, &Requirement> = floor.requirements.iter().map(|one| (one.rule.id(), one)).collect();
        config.requirements.retain(|one| {
            let same = known.get(one.rule.id());
            let is_new = same.is_none();
            if same.is_some_and(|same| !same.means_the_same(one)) {
                let message = format!("the policy defines the rule `{}`, which applies", one.rule.id());
                self.faults.loosened(one.written.clone(), message, HELP);
            }
            is_new
        });
        let inherited = floor.requirements.iter().map(|one| Requirement { written: 0..0, ..one.clone() });
        config.requirements.splice(0..0, inherited.collect::<Vec<_>>());
    }

    /// Reports what a repository keeps from being searched. It applies: the paths are the repository's.
    fn searched(&mut self, settings: &Settings, below: &Settings) {
        let known: BTreeSet<&String> = below.exclude.patterns().iter().collect();
        for pattern in settings.exclude.patterns().iter().filter(|pattern| !known.contains(pattern)) {
            self.report(&["exclude", pattern], format!("`{}` is excluded", shortened(pattern, SHOWN)));
        }
        if below.default_roots && !settings.default_roots {
            self.report(&["default-roots"], "the default skills directories are not checked".into());
        }
    }
}
