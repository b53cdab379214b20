//! What the shipped program does with the skills of a repository: where it looks, what it takes for a skill, what it
//! makes of one that is not well formed, and by what name it knows the rest.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::faults::Faults;
use super::fields::{FieldRule, Keys};
use super::files::{Files, Links};
use super::identity::{Duplicates, Identity};
use super::listing::{Budget, Limit, Listing, Measured, Mentions};
use super::outcome::Verdict;
use super::reading::{FenceRule, Repair, TextRule, YamlRule};

/// What the shipped program does.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Loads {
    /// How deep below a root a skill's directory may be; `None` when at any depth (`"any"` in the file).
    #[serde(deserialize_with = "depth")]
    pub depth: Option<u32>,
    /// Where it looks, in the order of precedence: of two skills of one name an earlier root's comes first.
    pub roots: Vec<Root>,
    /// Which files it takes for skills.
    pub files: Files,
    /// What it does with symbolic links.
    pub links: Links,
    /// How it makes text of the bytes.
    pub text: TextRule,
    /// How it finds the front matter; where nobody knows, `faults` says what becomes of a file.
    pub fence: Option<FenceRule>,
    /// How it reads the YAML.
    pub yaml: Option<YamlRule>,
    /// What becomes of a skill whose bytes have a fault, where nobody knows how the program takes a file apart.
    pub faults: Faults,
    /// How it mends a front matter that does not parse.
    pub repair: Option<Repair>,
    /// What it demands of fields, by their keys; a key of a map is written behind a dot.
    pub fields: BTreeMap<String, FieldRule>,
    /// What it makes of keys.
    pub keys: Keys,
    /// What becomes of a skill whose body is empty.
    pub empty_body: Option<Verdict>,
    /// The numbers that it enforces.
    pub limits: Vec<Limit>,
    /// By what name it knows a skill.
    pub identity: Identity,
    /// What it does with two skills of one name.
    pub duplicates: Duplicates,
    /// What the model is shown.
    pub listing: Listing,
    /// How much of it the model is shown.
    pub budget: Option<Budget>,
    /// How a text calls a skill by its name.
    pub mentions: Mentions,
    /// Where and in what words it tells of skills that it does not load.
    pub says: Option<String>,
    /// What it is known to have nothing of: [`cells`](super::cells::CELLS) without their `loads.`.
    pub without: Vec<String>,
}

/// A directory in which the program looks for skills.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Root {
    /// The path: from the repository's root, or with `~` or `/` in front.
    pub path: String,
    /// Whose it is.
    pub scope: Scope,
    /// From where it is looked for; the repository's root when nothing is said.
    #[serde(default)]
    pub from: Start,
    /// What has to hold for it to be read, in words.
    #[serde(default)]
    pub when: Option<String>,
    /// Whether our artifact takes its skills too, when the user's and the machine's are asked for.
    #[serde(default)]
    pub in_prompt: bool,
}

/// Whose a root is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The repository's: the only ones that a linter in CI sees.
    Repository,
    /// The user's.
    User,
    /// The machine's.
    System,
    /// The program's own.
    Bundled,
}

/// From where a root of the repository is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The root of the repository.
    #[default]
    Top,
    /// Every directory from the working directory up to the repository's root.
    Upwards,
    /// Every directory of the repository.
    Anywhere,
}

impl Loads {
    /// Whether one of the limits is about bodies.
    pub fn limits_bodies(&self) -> bool {
        self.limits.iter().any(|limit| limit.of == Measured::Body)
    }
}

/// A depth: a number of directories, or `"any"`.
pub(super) fn depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a number of directories, or \"any\"")]
    enum Depth {
        Number(u32),
        Word(String),
    }
    match Depth::deserialize(deserializer)? {
        Depth::Number(number) => Ok(Some(number)),
        Depth::Word(word) if word == "any" => Ok(None),
        Depth::Word(word) => Err(D::Error::custom(format_args!("a depth is a number or \"any\", not {word:?}"))),
    }
}
