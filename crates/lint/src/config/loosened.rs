//! Settings that are looser than in another configuration: they hide findings, or check less.
//!
//! Both configurations come from files alone. The command line applies to both sides, so it loosens nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::written::Written;
use super::{Config, Ignore, Override, Requirement, SETTINGS, WORKFLOW};
use crate::rule::{Level, Rule, RuleRef, Severity};
use crate::rules;
use skilltree_front_matter::text::{grouped, joined, shortened};
use skilltree_skills::date;
use skilltree_skills::limits::DEFAULT_PROMPT_SKILLS;

/// A setting that became looser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loosened {
    /// The configuration file.
    pub file: &'static str,
    /// Byte range in the new file: the setting, or the nearest text if it was removed.
    pub range: Range<usize>,
    /// The fact.
    pub message: String,
}

/// Maximum length of a path in a message, in code points.
const SHOWN: usize = 80;

/// The settings that are looser than in a base. Each method compares one setting.
pub(super) struct Changes<'a> {
    written: Written<'a>,
    found: Vec<Loosened>,
}

impl<'a> Changes<'a> {
    /// Starts the comparison of a configuration with its base.
    pub(super) fn new(head: &'a Config) -> Self {
        Self { written: Written::new(head), found: Vec::new() }
    }

    /// Returns the changes by file and place.
    pub(super) fn sorted(self) -> Vec<Loosened> {
        let mut found = self.found;
        found.sort_by(|a, b| (a.file, a.range.start, &a.message).cmp(&(b.file, b.range.start, &b.message)));
        found
    }

    /// Adds a change at a setting of skilltree.toml.
    fn add(&mut self, keys: &[&str], message: String) {
        let range = self.written.place(keys);
        self.found.push(Loosened { file: SETTINGS, range, message });
    }

    fn add_at(&mut self, range: Range<usize>, message: String) {
        self.found.push(Loosened { file: SETTINGS, range, message });
    }

    /// Adds a change at a setting of `agent.skills` in WORKFLOW.md.
    fn add_workflow(&mut self, key: &str, message: String) {
        let range = self.written.workflow_place(key);
        self.found.push(Loosened { file: WORKFLOW, range, message });
    }

    pub(super) fn edition(&mut self, head: &Config, base: &Config) {
        let (edition, old) = (head.levels.defaults.edition, base.levels.defaults.edition);
        if edition < old {
            self.add(&["edition"], format!("the edition is {} instead of {}", edition.0, old.0));
        }
    }

    pub(super) fn extends(&mut self, head: &Config, base: &Config) {
        if let Some(policy) = base.extends.as_ref().filter(|_| head.extends != base.extends) {
            self.add(&["extends"], format!("the policy `{}` no longer applies", shortened(policy, SHOWN)));
        }
    }

    pub(super) fn levels(&mut self, head: &Config, base: &Config) {
        for rule in head.rules() {
            let is_set = |config: &Config| config.levels.least(&rule).is_some();
            let (new, old) = (plain(head, &rule), plain(base, &rule));
            if new < old && (is_set(head) || is_set(base)) {
                self.add(&["rules", rule.id()], lowered(&rule, new, old));
            } else if rule.needs_evidence() && new == old && old == Level::Error && is_set(base) && !is_set(head) {
                let message = format!("`{}` is no longer set to error: only losses are errors", rule.id());
                self.add(&["rules", rule.id()], message);
            }
        }
    }

    pub(super) fn overrides(&mut self, head: &Config, base: &Config) {
        let (new, old) = (overridden(head), overridden(base));
        for entry in &head.levels.overrides {
            for (rule, level) in levels_of(head, entry) {
                let old = old.get(&(entry.patterns.as_slice(), rule.clone()));
                let old = old.copied().unwrap_or_else(|| plain(base, &rule));
                if level < old {
                    let message = format!("{} for {}", lowered(&rule, level, old), paths(&entry.patterns));
                    self.add_at(entry.written.clone(), message);
                }
            }
        }
        for entry in &base.levels.overrides {
            let is_gone = |rule: &RuleRef| !new.contains_key(&(entry.patterns.as_slice(), rule.clone()));
            for (rule, level) in levels_of(base, entry).filter(|(rule, _)| is_gone(rule)) {
                let new = plain(head, &rule);
                if new < level {
                    let message = format!("{} for {}", lowered(&rule, new, level), paths(&entry.patterns));
                    self.add(&["override"], message);
                }
            }
        }
        if is_reordered(&head.levels.overrides, &base.levels.overrides) {
            self.add(&["override"], "the entries of `[[override]]` are in another order; a later entry wins".into());
        }
    }

    pub(super) fn ignores(&mut self, head: &Config, base: &Config) {
        let mut known: BTreeMap<(&str, &str), Option<i64>> = BTreeMap::new();
        for ignore in active(base) {
            let day = known.entry((ignore.rule.id(), &ignore.pattern)).or_insert(ignore.until);
            if lasts(ignore.until, *day) {
                *day = ignore.until;
            }
        }
        for ignore in active(head) {
            // An ignore of a policy is in another file.
            let range = match &ignore.written {
                Some((_, range)) => range.clone(),
                None => self.written.place(&["extends"]),
            };
            let (rule, path) = (ignore.rule.id(), shortened(&ignore.pattern, SHOWN));
            match (known.get(&(rule, ignore.pattern.as_str())), ignore.until) {
                (None, _) => self.add_at(range, format!("`{rule}` is ignored in `{path}`")),
                (Some(&old), until) if lasts(old, until) => {}
                (Some(_), Some(day)) => {
                    let day = date::written(day);
                    self.add_at(range, format!("`{rule}` is ignored in `{path}` until {day}, longer than before"));
                }
                (Some(_), None) => {
                    self.add_at(range, format!("the ignore of `{rule}` in `{path}` no longer has a last day"));
                }
            }
        }
    }

    pub(super) fn requirements(&mut self, head: &Config, base: &Config) {
        let known: BTreeMap<&str, &Requirement> = head.requirements.iter().map(|one| (one.rule.id(), one)).collect();
        for old in &base.requirements {
            let id = old.rule.id();
            let Some(new) = known.get(id) else {
                self.add(&["require"], format!("the rule `{id}` is removed"));
                continue;
            };
            if new.rule.level < old.rule.level {
                self.add_at(new.written.clone(), lowered(&new.rule, new.rule.level, old.rule.level));
            }
            if new.conditions != old.conditions || new.patterns != old.patterns {
                self.add_at(new.written.clone(), format!("the rule `{id}` has other conditions"));
            }
        }
    }

    pub(super) fn lists(&mut self, head: &Config, base: &Config) {
        let known = head.roots.queries.lists();
        for list in base.roots.queries.lists().iter().filter(|list| !known.contains(list)) {
            let file = shortened(&list.file, SHOWN);
            self.add(&["listing"], format!("the list in `{file}` is not compared with the skills as before"));
        }
    }

    pub(super) fn routes(&mut self, head: &Config, base: &Config) {
        for old in base.routes.iter().filter(|old| !head.routes.iter().any(|new| new.is_equivalent(old))) {
            let task = shortened(&old.task, SHOWN);
            self.add(&["route"], format!("the route for the task `{task}` is removed or has other skills"));
        }
    }

    pub(super) fn limits(&mut self, head: &Config, base: &Config) {
        // A lower `shown-findings` shortens the text, and changes no result.
        let both = head.limits.iter().zip(base.limits.iter()).filter(|((name, _), _)| *name != "shown-findings");
        for ((name, new), (_, old)) in both {
            match (new, old) {
                (Some(new), Some(old)) if new > old => {
                    let message = format!("`{name}` is {} instead of {}", grouped(new), grouped(old));
                    self.add(&["limits", name], message);
                }
                (None, Some(old)) => {
                    self.add(&["limits", name], format!("`{name}` is not limited to {}", grouped(old)))
                }
                _ => {}
            }
        }
    }

    /// Compares `agent.skills` in WORKFLOW.md, apart from its path.
    pub(super) fn workflow(&mut self, head: &Config, base: &Config) {
        let cap = |config: &Config| config.dispatch.cap.unwrap_or(DEFAULT_PROMPT_SKILLS);
        let is_in_workflow = head.limits.prompt_skills == base.limits.prompt_skills;
        if cap(head) > cap(base) && is_in_workflow {
            let message = format!("`max_skills_in_prompt` is {} instead of {}", grouped(cap(head)), grouped(cap(base)));
            self.add_workflow("max_skills_in_prompt", message);
        }
        if base.dispatch.enabled && !head.dispatch.enabled {
            self.add_workflow("enabled", "`agent.skills` is disabled".into());
        }
    }

    pub(super) fn exclude(&mut self, head: &Config, base: &Config) {
        for pattern in added(head.roots.exclude.patterns(), base.roots.exclude.patterns()) {
            self.add(&["exclude", pattern], format!("`{}` is excluded", shortened(pattern, SHOWN)));
        }
    }

    pub(super) fn default_roots(&mut self, head: &Config, base: &Config) {
        if base.default_roots && !head.default_roots {
            self.add(&["default-roots"], "the default skills directories are not checked".into());
        }
    }

    pub(super) fn roots(&mut self, head: &Config, base: &Config) {
        let keeps_default = head.default_roots || !base.default_roots;
        if keeps_default && base.roots.discovery.is_some() && head.roots.discovery.is_none() {
            self.add(&["root"], "only the skills directories in `[[root]]` are checked".into());
        }
        let globs = |config: &Config, is_wanted: fn(&skilltree_skills::roots::RootPattern) -> bool| -> Vec<String> {
            config.roots.patterns.iter().filter(|root| is_wanted(root)).map(|root| root.glob.clone()).collect()
        };
        let (new, old) = (globs(head, |_| true), globs(base, |root| root.configured));
        for glob in added(&old, &new) {
            let message = format!("the skills directory `{}` is not checked", shortened(glob, SHOWN));
            let is_in_workflow = base.workflow_path.as_ref() == Some(glob);
            if is_in_workflow { self.add_workflow("path", message) } else { self.add(&["root", glob], message) }
        }
    }

    pub(super) fn targets(&mut self, head: &Config, base: &Config) {
        if base.targets.is_empty() && !head.targets.is_empty() {
            let message = format!("`targets` is set: runtimes other than {} no longer count", joined(&head.targets));
            self.add(&["targets"], message);
        }
        for target in added(&base.targets, &head.targets) {
            self.add(&["targets"], format!("`{target}` is not a target"));
        }
    }

    pub(super) fn mirrors(&mut self, head: &Config, base: &Config) {
        for group in added(&base.copies.mirrors, &head.copies.mirrors) {
            self.add(&["mirrors"], format!("{} are not compared as mirrors", paths(group)));
        }
    }

    pub(super) fn deployments(&mut self, head: &Config, base: &Config) {
        for deployment in added(&head.copies.deployments, &base.copies.deployments) {
            let (from, to) = (shortened(&deployment.from, SHOWN), shortened(&deployment.to, SHOWN));
            self.add(&["deploy"], format!("names in `{to}` may be the same as in `{from}`"));
        }
        for deployment in added(&base.copies.deployments, &head.copies.deployments) {
            let (from, to) = (shortened(&deployment.from, SHOWN), shortened(&deployment.to, SHOWN));
            self.add(&["deploy"], format!("`{to}` is not compared with `{from}`"));
        }
    }

    pub(super) fn versions(&mut self, head: &Config, base: &Config) {
        if !base.levels.may_run(&rules::version_not_bumped::RULE) {
            return;
        }
        for pattern in added(head.versions.ignored.patterns(), base.versions.ignored.patterns()) {
            let pattern = shortened(pattern, SHOWN);
            self.add(&["versions", "ignored-files"], format!("`{pattern}` may change without a new version"));
        }
        if head.versions.fields != base.versions.fields {
            self.add(&["versions", "fields"], "other versions of a skill count than before".into());
        }
    }

    pub(super) fn min_severity(&mut self, head: &Config, base: &Config) {
        let least = |config: &Config| config.min_severity.unwrap_or(Severity::Note);
        if least(head) > least(base) {
            let message = format!("findings below {} are hidden", least(head).name());
            self.add(&["min-severity"], message);
        }
    }

    pub(super) fn error_on_empty(&mut self, head: &Config, base: &Config) {
        if base.error_on_empty && !head.error_on_empty {
            self.add(&["error-on-empty"], "`error-on-empty` is not set: a check without skills passes".into());
        }
    }
}

/// Returns the level of a rule apart from overrides.
fn plain(config: &Config, rule: &Rule) -> Level {
    config.levels.plain(rule)
}

/// Returns the levels of `[[override]]` by patterns and rule; a later entry wins.
fn overridden(config: &Config) -> BTreeMap<(&[String], RuleRef), Level> {
    let entries = config.levels.overrides.iter();
    entries
        .flat_map(|entry| levels_of(config, entry).map(|(rule, level)| ((entry.patterns.as_slice(), rule), level)))
        .collect()
}

fn active(config: &Config) -> impl Iterator<Item = &Ignore> {
    config.ignores.iter().filter(|ignore| !ignore.reason.is_empty())
}

fn levels_of(config: &Config, entry: &Override) -> impl Iterator<Item = (RuleRef, Level)> {
    entry.levels.iter().filter_map(|(rule, &level)| Some((config.rule(rule.id())?, level)))
}

fn lowered(rule: &Rule, new: Level, old: Level) -> String {
    format!("`{}` is {} instead of {}", rule.id(), new.name(), old.name())
}

fn paths(patterns: &[String]) -> String {
    let shown: Vec<String> = patterns.iter().map(|pattern| format!("`{}`", shortened(pattern, SHOWN))).collect();
    joined(&shown)
}

/// Returns whether an ignore lasts at least as long as another one.
pub(crate) fn lasts(old: Option<i64>, new: Option<i64>) -> bool {
    match (old, new) {
        (None, _) => true,
        (Some(old), Some(new)) => old >= new,
        (Some(_), None) => false,
    }
}

/// Returns the items that the other list does not have.
fn added<'a, T: Ord>(items: &'a [T], other: &'a [T]) -> impl Iterator<Item = &'a T> {
    let other: BTreeSet<&T> = other.iter().collect();
    items.iter().filter(move |item| !other.contains(item))
}

/// Returns whether overrides that both lists have are in another order.
fn is_reordered(head: &[Override], base: &[Override]) -> bool {
    let key = |entry: &'_ Override| (entry.patterns.clone(), entry.levels.clone());
    let (new, old): (Vec<_>, Vec<_>) = (head.iter().map(key).collect(), base.iter().map(key).collect());
    let common = |one: &[_], other: &[_]| {
        let known: BTreeSet<_> = other.iter().collect();
        one.iter().filter(|entry| known.contains(entry)).cloned().collect::<Vec<_>>()
    };
    common(&new, &old) != common(&old, &new)
}
