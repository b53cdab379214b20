//! The runtimes that are asked about a skill.

use skilltree_lint::config::Config;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{self, SkillForecast};
use skilltree_runtimes::profile::{Handling, Kind, Profile, Verdict};
use skilltree_runtimes::scope::Scope;
use skilltree_skills::parallel;
use skilltree_skills::skill::SkillId;

use crate::host::Checked;

/// Returns the runtimes in scope of a skill, the most used first.
pub(crate) fn of_skill(checked: &Checked, id: SkillId) -> Vec<&Profile> {
    let (catalog, config) = (&checked.report.catalog, &checked.config);
    let packages = |profile: &Profile| catalog.packages(profile);
    let scope = Scope::with(&catalog.parsed.roots, &config.targets, &config.profiles, &packages, catalog.published());
    let mut profiles = scope.profiles([catalog.skill(id).root]);
    profiles.retain(|profile| matches!(profile.kind, Kind::Runtime | Kind::Design));
    profiles.sort_by_key(|profile| profile.usage_rank.unwrap_or_default());
    profiles
}

/// Returns the runtimes in scope that come to a skill and whose reading is known, the most used first. Targets are in scope of directories
/// that they do not read.
pub(crate) fn reading(checked: &Checked, id: SkillId) -> Vec<&Profile> {
    let catalog = &checked.report.catalog;
    let is_explicit = !checked.config.targets.is_empty();
    let mut profiles = of_skill(checked, id);
    profiles.retain(|profile| match is_explicit {
        true => catalog.reads(profile, catalog.skill(id).root) || catalog.is_linked_for(profile, id),
        false => !profile.loads.is_about_directories_only(),
    });
    profiles
}

/// Returns what the runtimes do with a skill, without a comparison with other skills.
pub(crate) fn forecasts<'p>(
    catalog: &Catalog,
    id: SkillId,
    profiles: &[&'p Profile],
) -> Vec<(&'p Profile, SkillForecast)> {
    parallel::map(profiles, |profile| (*profile, forecast::of_skill(catalog, id, profile)))
}

/// What the runtimes make of a key of the front matter.
#[derive(Debug, Default)]
pub(crate) struct Readers<'a> {
    /// Those that read it.
    pub(crate) read: Vec<&'a Profile>,
    /// Those that ignore it.
    pub(crate) ignore: Vec<&'a Profile>,
    /// Those that do something else with a key that they do not know.
    pub(crate) reject: Vec<&'a Profile>,
    /// Those that drop or change a skill without it.
    pub(crate) need: Vec<&'a Profile>,
}

impl<'a> Readers<'a> {
    /// Returns what all known runtimes make of a key. Those whose keys are not known are not counted.
    pub(crate) fn of(config: &'a Config, key: &str) -> Self {
        let mut readers = Self::default();
        for profile in all(config) {
            let loads = &profile.loads;
            let is_read = loads.keys.known.iter().any(|known| known == key);
            let harms = |verdict: &Verdict| !matches!(verdict.handling, Handling::Loads | Handling::Repairs);
            if is_read {
                readers.read.push(profile);
            } else if loads.keys.unknown.as_ref().is_some_and(harms) {
                readers.reject.push(profile);
            } else {
                readers.ignore.push(profile);
            }
            let missing = loads.fields.get(key).and_then(|field| field.missing.as_ref());
            if missing.is_some_and(harms) {
                readers.need.push(profile);
            }
        }
        readers
    }

    /// Returns the number of runtimes whose keys are known.
    pub(crate) fn count(&self) -> usize {
        self.read.len() + self.ignore.len() + self.reject.len()
    }
}

/// Returns the runtimes whose keys are known, the most used first.
pub(crate) fn all(config: &Config) -> Vec<&Profile> {
    let known = config.profiles.ids().filter_map(|id| config.profiles.find(id));
    let mut known: Vec<&Profile> =
        known.filter(|profile| profile.kind == Kind::Runtime && !profile.loads.keys.known.is_empty()).collect();
    known.sort_by_key(|profile| profile.usage_rank.unwrap_or_default());
    known
}

/// Names runtimes: the first few, and how many more.
pub(crate) fn names(profiles: &[&Profile], most: usize) -> String {
    let mut names: Vec<String> = profiles.iter().take(most).map(|profile| profile.title.clone()).collect();
    if profiles.len() > most {
        names.push(format!("{} more", profiles.len() - most));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
