//! A runtime as data: what the shipped program does with a skill (`[loads]`), and what our artifact for it looks like
//! (`[prompt]`). There is no code per runtime: one TOML file is all that a runtime needs.
//!
//! A value that nobody has established is absent, and absent means unknown. Where the values come from stands beside
//! them, in `[evidence]`, by their dotted paths.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use crate::roots::Owner;
use crate::snapshot::File;

pub mod outcome;
pub mod cells;
pub mod pattern;
pub mod faults;
pub mod fields;
pub mod files;
pub mod reading;
pub mod identity;
pub mod loads;
pub mod listing;
pub mod artifact;
pub mod case;

pub use artifact::{Prompt, Rendering, Room};
pub use case::{Case, Seen};
pub use loads::Loads;
pub use outcome::{Outcome, Said, Verdict};
pub use pattern::Pattern;

/// A runtime.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// The word for it in configuration and output; the name of its file.
    pub id: String,
    /// Its name as its makers write it.
    pub title: String,
    /// What it is, in one line.
    pub about: String,
    /// What its page says besides: above all where the artifact differs from the shipped program.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What the shipped program does.
    #[serde(default)]
    pub loads: Loads,
    /// What our artifact for it looks like; `None` when we render none.
    #[serde(default)]
    pub prompt: Option<Prompt>,
    /// Where the values come from, by dotted path: `loads.faults` speaks for all below it that nothing longer names.
    #[serde(default)]
    pub evidence: BTreeMap<String, Evidence>,
    /// What the shipped program was seen to do with files; a test holds the values above to it.
    #[serde(default)]
    pub cases: Vec<Case>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Evidence {
    /// A file of the program's source, a document, or who observed it how.
    pub source: String,
    /// The version, commit or date at which it was so.
    #[serde(default)]
    pub version: Option<String>,
    /// What a reader should know before relying on it.
    #[serde(default)]
    pub note: Option<String>,
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// When the text is not valid TOML, or holds a key or a word that no profile has; the error says where.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The directories outside of a repository whose skills our artifact takes too, in their order, each with its owner.
    /// One that begins with `~/` lies below the home directory.
    pub fn outside(&self) -> impl Iterator<Item = (&str, Owner)> {
        self.loads.roots.iter().filter(|root| root.in_prompt).filter_map(|root| match root.scope {
            loads::Scope::User => Some((root.path.as_str(), Owner::User)),
            loads::Scope::System => Some((root.path.as_str(), Owner::System)),
            loads::Scope::Repository | loads::Scope::Bundled => None,
        })
    }

    /// Its regular expressions.
    pub fn patterns(&mut self) -> impl Iterator<Item = &mut Pattern> {
        let Loads { fence, repair, fields, .. } = &mut self.loads;
        let fence = fence.iter_mut().map(|fence| &mut fence.pattern);
        let repair = repair.iter_mut().flat_map(|repair| {
            [Some(&mut repair.line), repair.mended.as_mut(), repair.mended_unless_yaml.as_mut()].into_iter().flatten()
        });
        let fields = fields.values_mut().flat_map(|rule| {
            rule.pattern.iter_mut().chain(rule.replaced.as_mut().map(|replaced| &mut replaced.pattern))
        });
        fence.chain(repair).chain(fields)
    }

    /// Where the value at a dotted path comes from: the entry of the longest path that leads to it.
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

macro_rules! builtin {
    ($($id:literal: $glance:expr,)+) => {
        /// The profiles that come with the program, in alphabetical order. A run asks for few of them, so each is parsed
        /// when it is first asked for.
        static BUILTIN: [Builtin; [$($id),+].len()] = [
            $(Builtin { id: $id, glance: $glance, text: include_str!(concat!($id, ".toml")), parsed: OnceLock::new() },)+
        ];
    };
}

include!("profiles/all.rs");

/// What most runs want to know of a profile. To parse a profile takes as long as to judge ten skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Glance {
    /// `loads.depth`.
    depth: Option<u32>,
    /// Whether one of `loads.limits` is about bodies.
    limits_bodies: bool,
}

impl Glance {
    fn at(loads: &Loads) -> Self {
        Self { depth: loads.depth, limits_bodies: loads.limits_bodies() }
    }
}

/// A profile that comes with the program.
struct Builtin {
    id: &'static str,
    glance: Glance,
    text: &'static str,
    parsed: OnceLock<Profile>,
}

impl Builtin {
    fn profile(&self) -> &Profile {
        self.parsed.get_or_init(|| Profile::parse(self.text).expect("a test parses every profile that is built in"))
    }
}

/// The profiles known: ours, and those that a repository defines. One of a repository's stands in the place of ours of the
/// same id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profiles {
    /// Those that the repository defines, by id.
    pub own: BTreeMap<String, Described>,
    /// Those that it means to define and that have a fault, by the name that is written.
    pub faulty: BTreeMap<String, Faulty>,
}

/// What is wrong with a table that was meant as a profile, for whoever asks for that profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Faulty {
    /// The file that holds the table. It may hold a hundred of them.
    pub file: Arc<File>,
    /// The bytes of it where the fault is said.
    pub range: Range<usize>,
    /// The fact.
    pub message: String,
    /// The exact edit in words.
    pub help: String,
}

/// A profile, and the table that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The profile.
    pub profile: Profile,
    /// The table, with what it extends.
    pub table: toml::Table,
}

impl Profiles {
    /// The ids in alphabetical order.
    pub fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        let mut all: Vec<&str> =
            BUILTIN.iter().map(|ours| ours.id).chain(self.own.keys().map(String::as_str)).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// Whether there is a profile of that id.
    pub fn contains(&self, id: &str) -> bool {
        self.own.contains_key(id) || builtin(id).is_some()
    }

    /// The profile of that id.
    pub fn find(&self, id: &str) -> Option<&Profile> {
        self.own.get(id).map(|own| &own.profile).or_else(|| Some(builtin(id)?.profile()))
    }

    /// How deep below a root the profile of that id reads skills; `None` when at any depth.
    pub fn depth(&self, id: &str) -> Option<u32> {
        self.glance(id)?.depth
    }

    /// Whether the profile of that id has a limit for bodies.
    pub fn limits_bodies(&self, id: &str) -> bool {
        self.glance(id).is_some_and(|glance| glance.limits_bodies)
    }

    fn glance(&self, id: &str) -> Option<Glance> {
        self.own.get(id).map(|own| Glance::at(&own.profile.loads)).or_else(|| Some(builtin(id)?.glance))
    }

    /// The table of a profile: every value as it is written.
    pub fn table(&self, id: &str) -> Option<toml::Table> {
        self.own.get(id).map(|own| own.table.clone()).or_else(|| source(id)?.parse().ok())
    }
}

fn builtin(id: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|ours| ours.id == id)
}

/// The text of a profile that comes with the program.
pub fn source(id: &str) -> Option<&'static str> {
    builtin(id).map(|ours| ours.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_parses_and_is_named_after_its_file() {
        for Builtin { id, glance, text, .. } in &BUILTIN {
            let mut profile = Profile::parse(text).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(profile.id, *id);
            assert_eq!(Glance::at(&profile.loads), *glance, "{id}");
            assert!(profile.patterns().all(|pattern| pattern.regex().is_some()), "{id}");
        }
        assert!(BUILTIN.is_sorted_by_key(|ours| ours.id), "the profiles are listed in alphabetical order");
    }

    #[test]
    fn evidence_speaks_of_values_that_exist() {
        for Builtin { id, text, .. } in &BUILTIN {
            let table: toml::Table = text.parse().unwrap();
            for path in Profile::parse(text).unwrap().evidence.keys() {
                let whole = toml::Value::Table(table.clone());
                let value = path.split('.').try_fold(&whole, |value, step| value.get(step));
                assert!(value.is_some(), "{id}: the evidence for `{path}` is about nothing");
            }
        }
    }

    #[test]
    fn every_table_of_what_is_loaded_has_its_evidence() {
        for Builtin { id, text, .. } in &BUILTIN {
            let profile = Profile::parse(text).unwrap();
            let table: toml::Table = text.parse().unwrap();
            for key in table["loads"].as_table().unwrap().keys() {
                assert!(
                    profile.evidence(&format!("loads.{key}")).is_some(),
                    "{id}: nothing says who found `loads.{key}`"
                );
            }
        }
    }

    #[test]
    fn what_a_runtime_has_nothing_of_is_a_cell_without_a_value() {
        for Builtin { id, text, .. } in &BUILTIN {
            let table: toml::Table = text.parse().unwrap();
            for name in &Profile::parse(text).unwrap().loads.without {
                let path = format!("loads.{name}");
                assert!(cells::CELLS.contains(&&*path), "{id}: there is no cell `{path}`");
                assert_eq!(cells::value(&table, &path), None, "{id}: `{path}` has a value");
            }
        }
    }

    #[test]
    fn the_longest_path_decides_who_is_quoted() {
        let text = "id = 'x'\ntitle = 'X'\nabout = 'y'\n[evidence]\nloads = { source = 'all' }\n'loads.faults' = { source = 'some' }";
        let profile = Profile::parse(text).unwrap();
        assert_eq!(profile.evidence("loads.faults.unclosed").unwrap().source, "some");
        assert_eq!(profile.evidence("loads.links.file").unwrap().source, "all");
        assert_eq!(profile.evidence("prompt"), None);
    }

    #[test]
    fn a_word_that_no_profile_has_is_refused_where_it_stands() {
        for wrong in
            ["colour = 1", "[loads]\ndeep = 1", "[loads.faults]\nbom = 'dropped'", "[loads.links]\nfile = 'maybe'"]
        {
            let text = format!("id = 'x'\ntitle = 'X'\nabout = 'y'\n{wrong}");
            assert!(Profile::parse(&text).unwrap_err().span().is_some(), "{wrong}");
        }
    }

    #[test]
    fn roots_of_the_two_conventions_have_the_depth_of_their_profiles() {
        let profiles = Profiles::default();
        assert_eq!(profiles.depth("symphony"), Some(1));
        assert_eq!(profiles.depth("agentskills"), None);
        assert_eq!(profiles.find("none"), None);
    }
}
