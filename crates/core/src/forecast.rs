//! Forecast of how a runtime handles every skill: whether it loads, what the model is shown, and which skills do not
//! fit into the listing.
//!
//! A forecast follows the file through the runtime's parser as the profile describes it: fences, YAML library, repair,
//! limits and whitespace handling. There is no code per runtime and none per case.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use globset::GlobBuilder;

use crate::catalog::Catalog;
use crate::parallel;
use crate::profile::loads::{Scope, Start};
use crate::profile::{Basis, Profile, Said};
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

pub use case::CaseForecast;
pub use listing::{RootForecast, Trim};
pub use reason::{Namesake, Reason, SkippedDirectory, plural};

/// Forecast of one runtime for every skill and every root.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Id of the profile.
    pub profile: String,
    /// How sure the profile is; `None` if it does not say so.
    pub basis: Option<Basis>,
    /// One entry per skill, in the order of [`crate::skill::Parsed::skills`].
    pub skills: Vec<SkillForecast>,
    /// One entry per root, in the order of [`crate::skill::Parsed::roots`].
    pub roots: Vec<RootForecast>,
}

/// Forecast of one runtime for one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillForecast {
    /// Whether the runtime reads the skill's root. All other fields assume that it does.
    pub reads_root: bool,
    /// Outcome for the skill.
    pub fate: Fate,
    /// Name shown to the model; `None` if unknown or not shown.
    pub name: Option<Shown>,
    /// Description shown to the model; `None` if unknown or not shown.
    pub description: Option<Shown>,
    /// Name next to the directory name, if the runtime shows both because they differ.
    pub label: Option<Box<str>>,
    /// Length of the description before the runtime truncated it, in the runtime's unit.
    pub cut_from: Option<u64>,
    /// Whether the listing includes the skill; a key may exclude it.
    pub listed: bool,
    /// Why the skill does not load unchanged.
    pub reason: Option<Reason>,
    /// How the runtime reports it; `None` if unknown.
    pub said: Option<Said>,
}

/// Outcome for a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It loads unchanged.
    Loads,
    /// It loads, and the model is shown changed or incomplete text.
    Altered,
    /// It does not load.
    Dropped,
    /// Unknown.
    Unknown,
}

impl Fate {
    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Altered => "altered",
            Self::Dropped => "dropped",
            Self::Unknown => "unknown",
        }
    }
}

/// Text shown to the model. Text that equals the file is not stored again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The field as written, without leading and trailing whitespace.
    Written,
    /// The directory name.
    Directory,
    /// Any other text.
    Other(Box<str>),
}

impl Shown {
    /// Returns the text; `key` is the field.
    pub fn text<'a>(&'a self, skill: &'a Skill, key: &str) -> Cow<'a, str> {
        match self {
            Self::Written => Cow::Borrowed(skill.scalar(key).unwrap_or_default()),
            Self::Directory => skill.directory.to_str_lossy(),
            Self::Other(text) => Cow::Borrowed(text),
        }
    }
}

impl Forecast {
    /// Returns the forecast for a skill.
    pub fn skill(&self, skill: SkillId) -> &SkillForecast {
        &self.skills[skill.index()]
    }

    /// Returns the forecast for a root.
    pub fn root(&self, root: RootId) -> &RootForecast {
        &self.roots[root.index()]
    }
}

/// Forecasts how one runtime handles every skill and every root.
pub fn forecast(catalog: &Catalog, profile: &Profile) -> Forecast {
    let reads: Vec<bool> = catalog.parsed.roots.iter().map(|root| reads(profile, root)).collect();
    let ids: Vec<SkillId> = catalog.skills().map(|(id, _)| id).collect();
    let mut skills = parallel::map(&ids, |&id| SkillForecast {
        reads_root: reads[catalog.skill(id).root.index()],
        ..of_skill(catalog, id, profile)
    });
    namesakes::resolve_all(catalog, &profile.loads, &mut skills);
    let roots = listing::of_roots(catalog, profile, &skills, &reads);
    Forecast { profile: profile.id.clone(), basis: Basis::of(profile), skills, roots }
}

/// Forecasts how one runtime handles one skill, assuming that it reads the skill's root.
pub(crate) fn of_skill(catalog: &Catalog, id: SkillId, profile: &Profile) -> SkillForecast {
    if profile.loads.is_about_directories_only() {
        return SkillForecast::without_text(Fate::Unknown, Reason::NotKnown("how it reads a skill"), None);
    }
    layout::forecast(catalog, id, &profile.loads).unwrap_or_else(|| fields::forecast(catalog.skill(id), &profile.loads))
}

/// Forecasts for several runtimes, in the order of the profiles; computed in parallel.
pub fn forecasts(catalog: &Catalog, profiles: &[&Profile]) -> Vec<Forecast> {
    parallel::map(profiles, |profile| forecast(catalog, profile))
}

/// Returns whether a runtime reads a root: the root is configured for it, or the runtime searches that directory.
pub fn reads(profile: &Profile, root: &Root) -> bool {
    root.profile == profile.id || precedence(profile, root.path.as_bstr()).is_some()
}

/// Returns the precedence of a directory among those that a runtime searches in a repository; `None` if it does not
/// search it.
pub fn precedence(profile: &Profile, path: &BStr) -> Option<usize> {
    repository_roots(profile).position(|known| looks_for(known, path))
}

/// Returns whether a runtime searches a directory.
fn looks_for(known: &crate::profile::loads::Root, path: &BStr) -> bool {
    if !roots::has_wildcard(&known.path) {
        let above = path.strip_suffix(known.path.as_bytes());
        return above.is_some_and(|above| above.is_empty() || (known.from != Start::Top && above.ends_with(b"/")));
    }
    let pattern = match known.from {
        Start::Top => known.path.clone(),
        Start::WorkingDirectory | Start::Upwards | Start::Anywhere => format!("{{{0},**/{0}}}", known.path),
    };
    let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(path.to_path_lossy()))
}

/// Directories that a runtime searches in a repository, in order of precedence.
pub(crate) fn repository_roots(profile: &Profile) -> impl Iterator<Item = &crate::profile::loads::Root> {
    profile.loads.roots.iter().filter(|known| known.scope == Scope::Repository)
}

impl SkillForecast {
    /// Forecast for a skill that does not load or whose outcome is unknown.
    fn without_text(fate: Fate, reason: Reason, said: Option<Said>) -> Self {
        Self {
            reads_root: false,
            fate,
            name: None,
            description: None,
            label: None,
            cut_from: None,
            listed: false,
            reason: Some(reason),
            said,
        }
    }
}
