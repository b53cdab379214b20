//! Compares the forecast of a profile with the observed behavior of the runtime.

use std::fmt;

use super::{Outcome, Shown, forecast};
use crate::catalog::Catalog;
use crate::profile::{Case, Observed, Profile, Reported};
use skilltree_front_matter::Bounds;
use skilltree_skills::roots::{RootPattern, RootSet};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry};

/// Root with the files of a case.
const ROOT: &str = ".agent/skills";

/// Size limit of a file of a case, in bytes (ours: 1 MiB, as for a configuration file).
const FILE_BYTES: u64 = 1 << 20;

/// Maximum number of directories and of files of a case (ours: 100 each).
const ENTRIES: u64 = 100;

/// Forecast for the file of a case. `Display` writes it as plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseForecast {
    /// Outcome for the skill.
    pub outcome: Outcome,
    /// Name shown to the model.
    pub name: Option<String>,
    /// Description shown to the model.
    pub description: Option<String>,
    /// How the runtime reports it.
    pub reported: Option<Reported>,
    /// Why the skill does not load unchanged.
    pub reason: Option<String>,
}

impl CaseForecast {
    /// Forecasts the file of a case; `None` if its path is not the path of a skill.
    pub fn new(profile: &Profile, case: &Case) -> Option<Self> {
        let file = |(path, text): (&String, &String)| Entry {
            path: format!("{ROOT}/{path}").into(),
            content: Content::File(text.clone().into_bytes()),
        };
        let entries = case.extra_files.iter().map(file).chain([file((&case.path, &case.file))]).collect();
        let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };
        let parsed = source::memory(Origin::Memory, entries).read(&roots(&profile.id), bounds).ok()?;
        let catalog = Catalog::new(parsed);
        let path = format!("{ROOT}/{}", case.path);
        let (id, skill) = catalog.skills().find(|(id, _)| *catalog.path(*id) == *path.as_bytes())?;
        let forecast = forecast(&catalog, profile);
        let skill_forecast = forecast.skill(id);
        let text = |shown: &Option<Shown>, key: &str| Some(shown.as_ref()?.text(skill, key).into_owned());
        Some(Self {
            outcome: skill_forecast.if_read,
            name: text(&skill_forecast.name, "name"),
            description: text(&skill_forecast.description, "description"),
            reported: skill_forecast.reported,
            reason: skill_forecast.reason.as_ref().map(ToString::to_string),
        })
    }

    /// Returns whether the forecast equals the observation; unobserved values match anything.
    pub fn agrees(&self, case: &Case) -> bool {
        let outcomes: &[Outcome] = match case.outcome {
            Observed::Loads => &[Outcome::Loads, Outcome::Changes],
            Observed::Drops => &[Outcome::Drops],
        };
        outcomes.contains(&self.outcome)
            && case.name.as_ref().is_none_or(|name| self.name.as_ref() == Some(name))
            && case.description.as_ref().is_none_or(|text| self.description.as_ref() == Some(text))
            && case.reported.is_none_or(|reported| self.reported == Some(reported))
    }
}

impl fmt::Display for CaseForecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.outcome.word())?;
        for (what, text) in [("name", &self.name), ("description", &self.description)] {
            text.iter().try_for_each(|text| write!(f, ", {what} `{text}`"))?;
        }
        self.reported.iter().try_for_each(|reported| write!(f, ", reported: {}", reported.word()))?;
        self.reason.iter().try_for_each(|reason| write!(f, ", {reason}"))
    }
}

fn roots(profile: &str) -> RootSet {
    let root = RootPattern::configured(ROOT, profile);
    RootSet { patterns: vec![root], depth: ENTRIES, files: ENTRIES, file_bytes: FILE_BYTES, ..RootSet::default() }
}
