//! What a runtime makes of every skill: whether it loads, what the model is shown of it, and what falls off the list.
//!
//! A forecast follows the file through the runtime's own parser, which the profile describes: the fences it looks for, the
//! YAML library it has, how it mends, cuts and trims. There is no code per runtime here, and none per case.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use globset::GlobBuilder;
use rayon::prelude::*;

use crate::catalog::Catalog;
use crate::profile::loads::{Scope, Start};
use crate::profile::{Profile, Said};
use crate::roots::{self, Root, RootId};
use crate::skill::{Skill, SkillId};

mod case;
mod demand;
mod evidence;
mod family;
mod fields;
mod layout;
mod listing;
mod measure;
mod namesakes;
mod reading;
mod reason;
mod repair;
mod texts;
mod value;

pub use case::Followed;
pub use listing::{RootForecast, Trim};
pub(crate) use reason::plural;
pub use reason::{Namesake, Passed, Reason};

/// What one runtime makes of every skill and every root.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The id of the profile.
    pub profile: String,
    /// What becomes of each skill, in the order of [`crate::skill::Parsed::skills`].
    pub skills: Vec<SkillForecast>,
    /// What is listed of each root, in the order of [`crate::skill::Parsed::roots`].
    pub roots: Vec<RootForecast>,
}

/// What a runtime makes of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillForecast {
    /// Whether the runtime reads the skill's root. Everything else is said as if it did.
    pub reads_root: bool,
    /// What becomes of it.
    pub fate: Fate,
    /// The name that the model is shown; `None` when nobody knows or nothing is shown.
    pub name: Option<Shown>,
    /// The description that the model is shown; `None` when nobody knows or nothing is shown.
    pub description: Option<Shown>,
    /// How long the description was before the runtime cut it, in the unit that it counts in.
    pub cut_from: Option<u64>,
    /// Whether it is in the list that the model is shown: a key may keep it out.
    pub listed: bool,
    /// Why it does not load as it is written.
    pub reason: Option<Reason>,
    /// How the runtime tells of it; `None` when nobody knows.
    pub said: Option<Said>,
}

/// What becomes of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It loads, and the model is shown what is written.
    Loads,
    /// It loads, and the model is shown something else, or less.
    Altered,
    /// It does not load.
    Dropped,
    /// Nobody has established it.
    Unknown,
}

impl Fate {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Altered => "altered",
            Self::Dropped => "dropped",
            Self::Unknown => "unknown",
        }
    }
}

/// A text that the model is shown. Most are what is written, which is not held twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The field as written, without white space at its ends.
    Written,
    /// The name of the directory.
    Directory,
    /// Another text.
    Other(Box<str>),
}

impl Shown {
    /// The text. `key` is the field.
    pub fn text<'a>(&'a self, skill: &'a Skill, key: &str) -> Cow<'a, str> {
        match self {
            Self::Written => Cow::Borrowed(skill.scalar(key).unwrap_or_default()),
            Self::Directory => skill.directory.to_str_lossy(),
            Self::Other(text) => Cow::Borrowed(text),
        }
    }
}

impl Forecast {
    /// What becomes of a skill.
    pub fn skill(&self, skill: SkillId) -> &SkillForecast {
        &self.skills[skill.index()]
    }

    /// What is listed of a root.
    pub fn root(&self, root: RootId) -> &RootForecast {
        &self.roots[root.index()]
    }
}

/// What a runtime makes of every skill and every root.
pub fn forecast(catalog: &Catalog, profile: &Profile) -> Forecast {
    let reads: Vec<bool> = catalog.parsed.roots.iter().map(|root| reads(profile, root)).collect();
    let mut skills: Vec<SkillForecast> = (0..catalog.parsed.skills.len() as u32)
        .into_par_iter()
        .map(|number| {
            let id = SkillId(number);
            SkillForecast { reads_root: reads[catalog.skill(id).root.index()], ..of_skill(catalog, id, profile) }
        })
        .collect();
    namesakes::settle(catalog, &profile.loads, &mut skills);
    let roots = listing::of_roots(catalog, profile, &skills, &reads);
    Forecast { profile: profile.id.clone(), skills, roots }
}

/// What a runtime makes of one skill, wherever it looks for skills.
pub fn of_skill(catalog: &Catalog, id: SkillId, profile: &Profile) -> SkillForecast {
    layout::judge(catalog, id, &profile.loads).unwrap_or_else(|| fields::judge(catalog.skill(id), &profile.loads))
}

/// What several runtimes make of them, in the order of the profiles; they are followed side by side.
pub fn forecasts(catalog: &Catalog, profiles: &[&Profile]) -> Vec<Forecast> {
    profiles.par_iter().map(|profile| forecast(catalog, profile)).collect()
}

/// Whether a runtime reads a root: it is configured for it, or it is a directory that the runtime looks for.
pub fn reads(profile: &Profile, root: &Root) -> bool {
    root.profile == profile.id || precedence(profile, root.path.as_bstr()).is_some()
}

/// The place of a directory among those of a repository that a runtime looks for, in its order of precedence; `None` when it
/// does not look for it.
pub fn precedence(profile: &Profile, path: &BStr) -> Option<usize> {
    repository_roots(profile).position(|known| looks_for(known, path))
}

/// Whether a directory is one that the runtime looks for.
fn looks_for(known: &crate::profile::loads::Root, path: &BStr) -> bool {
    if !roots::has_wildcard(&known.path) {
        let above = path.strip_suffix(known.path.as_bytes());
        return above.is_some_and(|above| above.is_empty() || (known.from != Start::Top && above.ends_with(b"/")));
    }
    let pattern = match known.from {
        Start::Top => known.path.clone(),
        Start::Upwards | Start::Anywhere => format!("{{{0},**/{0}}}", known.path),
    };
    let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(path.to_path_lossy()))
}

/// The directories of a repository that a runtime looks for, in its order of precedence.
pub fn repository_roots(profile: &Profile) -> impl Iterator<Item = &crate::profile::loads::Root> {
    profile.loads.roots.iter().filter(|known| known.scope == Scope::Repository)
}

impl SkillForecast {
    /// A skill that does not load, or of which nobody knows.
    fn without_text(fate: Fate, reason: Reason, said: Option<Said>) -> Self {
        Self {
            reads_root: false,
            fate,
            name: None,
            description: None,
            cut_from: None,
            listed: false,
            reason: Some(reason),
            said,
        }
    }
}
