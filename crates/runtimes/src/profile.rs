//! A runtime as data: what the shipped program does with a skill (`[loads]`), and the prompt block that skilltree
//! renders for it (`[prompt]`). Each runtime is one TOML file. What only one or two
//! programs do is a [strategy](loads::Strategy), in code.
//!
//! An absent value is unknown. `[evidence]` gives the source of each value by its dotted path.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use skilltree_skills::roots::Owner;
use skilltree_skills::snapshot::File;

pub mod outcome;
pub mod cells;
pub mod pattern;
pub mod faults;
pub mod files;
pub mod reading;
pub mod identity;
pub mod loads;
pub mod listing;
pub mod fields;
pub mod strategy;
pub mod artifact;
pub mod basis;
pub mod extend;
pub mod case;
mod typed;

pub use artifact::{BlockLimits, Prompt, Rendering, RoleModes, ToolMode};
pub use basis::{At, Basis};
pub use case::{Case, Observed};
pub use loads::Loads;
pub use outcome::{Handling, Outcome, Reported, Verdict};
pub use pattern::Pattern;
pub use typed::meant;

/// A runtime profile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// Id in configuration and output; equals the file stem.
    pub id: String,
    /// Name as its vendor writes it.
    pub title: String,
    /// Name as the subject of a sentence, if the title does not fit there: `the Agent Skills validator`.
    #[serde(default)]
    pub actor: Option<String>,
    /// One-line description.
    pub about: String,
    /// What the profile describes.
    #[serde(default)]
    pub kind: Kind,
    /// Rank by use: 1 is the most used runtime. A message that cannot name all runtimes names the most used ones. The
    /// numbers are our estimate, because vendors publish no comparable ones. Profiles that a repository defines have
    /// none and are named first.
    #[serde(default)]
    pub usage_rank: Option<u32>,
    /// Version of the program that `conformance/run` observed, and the day.
    #[serde(default)]
    pub observed: Option<At>,
    /// Version of the source code that the profile was written from.
    #[serde(default)]
    pub read: Option<At>,
    /// Version of the documentation that the profile follows.
    #[serde(default)]
    pub documented: Option<At>,
    /// Notes for the runtime's page, above all where the prompt block differs from the shipped program.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Behavior of the shipped program.
    #[serde(default)]
    pub loads: Loads,
    /// Form of the prompt block; `None` if skilltree renders none.
    #[serde(default)]
    pub prompt: Option<Prompt>,
    /// Sources of the values, by dotted path. `loads.faults` covers everything below it that has no longer entry.
    #[serde(default)]
    pub evidence: BTreeMap<String, Evidence>,
    /// Observed behavior of the shipped program; a test checks the values above against it.
    #[serde(default)]
    pub cases: Vec<Case>,
}

/// What a profile describes. It decides when the profile is in scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A program that people use: in scope of the skills directories that it reads.
    #[default]
    Runtime,
    /// The design of a dispatcher: in scope only as a target, or as the profile of a skills directory.
    Design,
    /// A specification with its validator, which loads no skills: always in scope, unless `targets` omits it.
    Specification,
    /// A program that copies or uploads skills from a repository: in scope of the skills that it offers.
    Installer,
}

/// Source of a value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Evidence {
    /// Source file, document, or who observed the behavior and how.
    pub source: String,
    /// Version, commit or date of the observation.
    #[serde(default)]
    pub version: Option<String>,
    /// Caveat for readers who rely on the value.
    #[serde(default)]
    pub note: Option<String>,
}

/// Greatest [`Profile::usage_rank`] of a widely used runtime (ours: 11, the programs that rank before the specification).
const WIDELY_USED: u32 = 11;

impl Profile {
    /// Returns whether a skill that the runtime loses is known to be lost: the runtime is widely used, and was run or read. A runtime
    /// that the repository defines itself is used there.
    pub fn is_evidence(&self) -> bool {
        self.kind == Kind::Runtime && self.is_widely_used() && self.documented.is_none()
    }

    /// Returns whether the runtime is one of the most used ones. One that the repository defines itself is used there.
    pub fn is_widely_used(&self) -> bool {
        self.usage_rank.is_none_or(|rank| rank <= WIDELY_USED)
    }

    /// Parses a profile, which may extend a built-in one.
    ///
    /// # Errors
    /// Fails if the text is not valid TOML, or contains an unknown key or value. The error has the position, unless the
    /// profile extends another.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        Self::parse_with(text, &|id| source(id).map(str::to_owned))
    }

    /// Parses a profile like [`Profile::parse`]; `source` returns the text of the profile that it extends.
    ///
    /// # Errors
    /// As [`Profile::parse`].
    pub fn parse_with(text: &str, source: &dyn Fn(&str) -> Option<String>) -> Result<Self, toml::de::Error> {
        let is_whole = !text.lines().any(|line| line.starts_with("extends"));
        if is_whole {
            return toml::from_str(text);
        }
        Self::deserialize(toml::Value::Table(extend::whole(text, source)?))
    }

    /// Returns the name as the subject of a sentence.
    pub fn actor(&self) -> &str {
        self.actor.as_deref().unwrap_or(&self.title)
    }

    /// Directories outside the repository whose skills the prompt block includes, in order, each with its owner. A path
    /// with a leading `~/` is relative to the home directory.
    pub fn outside(&self) -> impl Iterator<Item = (&str, Owner)> {
        self.loads.roots.iter().filter(|root| root.in_prompt).filter_map(|root| match root.scope {
            loads::Scope::User => Some((root.path.as_str(), Owner::User)),
            loads::Scope::System => Some((root.path.as_str(), Owner::System)),
            loads::Scope::Repository | loads::Scope::Bundled => None,
        })
    }

    /// All regular expressions of the profile.
    pub fn patterns(&mut self) -> impl Iterator<Item = &mut Pattern> {
        let Loads { fence, repair, fields, listing, .. } = &mut self.loads;
        let fence = fence.iter_mut().map(|fence| &mut fence.pattern);
        let repair = repair.iter_mut().flat_map(|repair| {
            [
                Some(&mut repair.line),
                repair.repaired.as_mut(),
                repair.repaired_unless_yaml.as_mut(),
                repair.replaces.as_mut(),
                repair.fence.as_mut(),
            ]
            .into_iter()
            .flatten()
        });
        let fields = fields.values_mut().flat_map(|rule| {
            let own = rule.pattern.iter_mut().chain(rule.forbidden.as_mut());
            own.chain(rule.replaced.iter_mut().map(|replaced| &mut replaced.pattern))
        });
        fence.chain(repair).chain(fields).chain(listing.label_pattern.iter_mut())
    }

    /// Returns the source of the value at a dotted path: the entry with the longest matching path.
    pub fn evidence(&self, path: &str) -> Option<&Evidence> {
        let mut prefix = path;
        loop {
            if let Some(evidence) = self.evidence.get(prefix) {
                return Some(evidence);
            }
            prefix = prefix.rsplit_once('.')?.0;
        }
    }
}

/// A built-in profile as the build script writes it.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! written {
    ($id:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $id, ".json"))
    };
}
#[cfg(target_arch = "wasm32")]
macro_rules! written {
    ($id:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $id, ".toml"))
    };
}

macro_rules! builtin {
    ($($id:literal),+) => {
        /// Built-in profiles in alphabetical order. Each is parsed on first use, because most runs need few of them.
        static BUILTIN: [Builtin; [$($id),+].len()] =
            [$(Builtin { id: $id, text: written!($id), profile: LazyLock::new(|| read(written!($id))) }),+];

        /// Their sources, in the same order. A program that prints none does not contain them.
        static SOURCES: [&str; BUILTIN.len()] =
            [$(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/profiles/", $id, ".toml"))),+];
    };
}

// The build script lists them.
include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

struct Builtin {
    id: &'static str,
    text: &'static str,
    profile: LazyLock<Profile>,
}

/// Reads what the build script writes. WebAssembly has one deserializer, that of a repository's profiles: a second one takes more bytes
/// there than its time is worth.
fn read<T: DeserializeOwned>(text: &str) -> T {
    #[cfg(not(target_arch = "wasm32"))]
    let read = serde_json::from_str(text);
    #[cfg(target_arch = "wasm32")]
    let read = toml::from_str(text);
    read.expect("a test reads every built-in profile")
}

/// Known profiles: the built-in ones and those that the repository defines. A repository's profile replaces the
/// built-in one with the same id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profiles {
    /// Profiles that the repository defines, by id.
    pub own: BTreeMap<String, DefinedProfile>,
    /// Invalid profile definitions of the repository, by the name as written.
    pub invalid: BTreeMap<String, InvalidProfile>,
}

/// Error in a profile definition, reported when that profile is requested.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidProfile {
    /// File with the definition. Shared, because one file may hold many invalid definitions.
    pub file: Arc<File>,
    /// Byte range of the error in the file.
    pub range: Range<usize>,
    /// States the error.
    pub message: String,
    /// Suggests the exact edit.
    pub help: String,
}

/// Profile with the table that it was parsed from.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinedProfile {
    /// Parsed profile.
    pub profile: Profile,
    /// Table, merged with the profile that it extends.
    pub table: toml::Table,
}

impl Profiles {
    /// Returns the ids in alphabetical order.
    pub fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        let mut all: Vec<&str> =
            BUILTIN.iter().map(|ours| ours.id).chain(self.own.keys().map(String::as_str)).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// Returns whether a profile with this id exists.
    pub fn contains(&self, id: &str) -> bool {
        self.own.contains_key(id) || builtin(id).is_some()
    }

    /// Returns the profile with this id.
    pub fn find(&self, id: &str) -> Option<&Profile> {
        self.own.get(id).map(|own| &own.profile).or_else(|| Some(&*builtin(id)?.profile))
    }

    /// Returns the table of a profile, with every value as written.
    pub fn table(&self, id: &str) -> Option<toml::Table> {
        self.own.get(id).map(|own| own.table.clone()).or_else(|| table(id))
    }
}

fn builtin(id: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|ours| ours.id == id)
}

/// Returns the table of a built-in profile, merged with the profiles that it extends.
pub fn table(id: &str) -> Option<toml::Table> {
    builtin(id).map(|ours| read(ours.text))
}

/// Returns the TOML source of a built-in profile.
pub fn source(id: &str) -> Option<&'static str> {
    Some(SOURCES[BUILTIN.iter().position(|ours| ours.id == id)?])
}

#[cfg(test)]
mod tests;
