//! What a runtime was seen to do with a file, beside what its profile says of the file.

use std::fmt;

use super::{Fate, Shown, forecast};
use crate::catalog::Catalog;
use crate::front_matter::Bounds;
use crate::profile::{Case, Profile, Said, Seen};
use crate::roots::{RootPattern, RootSet};
use crate::snapshot::Origin;
use crate::source::{self, Content, Entry};

/// The root in which the files of a case lie.
const ROOT: &str = ".agent/skills";

/// Bytes of a file of a case that are read (ours: 1 MiB, as long as a configuration may be).
const FILE_BYTES: u64 = 1 << 20;

/// Directories and files of a case that are looked at (ours: 100 each).
const ENTRIES: u64 = 100;

/// What a profile says of the file of a case. Its `Display` is what it says, in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// What becomes of the skill.
    pub fate: Fate,
    /// The name that the model is shown.
    pub name: Option<String>,
    /// The description that the model is shown.
    pub description: Option<String>,
    /// How the runtime tells of it.
    pub said: Option<Said>,
    /// Why it does not load as it is written.
    pub reason: Option<String>,
}

impl Followed {
    /// Follows the file of a case through a profile; `None` when its path is no skill's.
    pub fn new(profile: &Profile, case: &Case) -> Option<Self> {
        let file = |(path, text): (&String, &String)| Entry {
            path: format!("{ROOT}/{path}").into(),
            content: Content::File(text.clone().into_bytes()),
        };
        let entries = case.beside.iter().map(file).chain([file((&case.path, &case.file))]).collect();
        let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16 };
        let parsed = source::memory(Origin::Memory, entries).read(&roots(&profile.id), bounds).ok()?;
        let catalog = Catalog::new(parsed);
        let path = format!("{ROOT}/{}", case.path);
        let (id, skill) = catalog.skills().find(|(id, _)| *catalog.path(*id) == *path.as_bytes())?;
        let forecast = forecast(&catalog, profile);
        let told = forecast.skill(id);
        let text = |shown: &Option<Shown>, key: &str| Some(shown.as_ref()?.text(skill, key).into_owned());
        Some(Self {
            fate: told.fate,
            name: text(&told.name, "name"),
            description: text(&told.description, "description"),
            said: told.said,
            reason: told.reason.as_ref().map(ToString::to_string),
        })
    }

    /// Whether it is what was seen; what was not looked at may be anything.
    pub fn agrees(&self, case: &Case) -> bool {
        let fates: &[Fate] = match case.outcome {
            Seen::Loads => &[Fate::Loads, Fate::Altered],
            Seen::Dropped => &[Fate::Dropped],
        };
        fates.contains(&self.fate)
            && case.name.as_ref().is_none_or(|name| self.name.as_ref() == Some(name))
            && case.description.as_ref().is_none_or(|text| self.description.as_ref() == Some(text))
            && case.said.is_none_or(|said| self.said == Some(said))
    }
}

impl fmt::Display for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fate.word())?;
        for (what, text) in [("name", &self.name), ("description", &self.description)] {
            text.iter().try_for_each(|text| write!(f, ", {what} `{text}`"))?;
        }
        self.said.iter().try_for_each(|said| write!(f, ", said: {}", said.word()))?;
        self.reason.iter().try_for_each(|reason| write!(f, ", {reason}"))
    }
}

fn roots(profile: &str) -> RootSet {
    let root = RootPattern { glob: ROOT.to_owned(), profile: profile.to_owned(), depth: None, configured: true };
    RootSet { patterns: vec![root], near: Vec::new(), depth: ENTRIES, files: ENTRIES, file_bytes: FILE_BYTES }
}
