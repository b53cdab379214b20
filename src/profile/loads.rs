//! What the shipped program does with the skills of a repository: where it looks, what it takes for a skill, what it
//! makes of one that is not well formed, and by what name it knows the rest.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::faults::Faults;
use super::fields::{FieldRule, Keys};
use super::listing::{Budget, Limit, Listing, Mentions};
use super::outcome::Verdict;

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
    /// What becomes of a skill whose bytes have a fault.
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

/// Which files the program takes for skills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Files {
    /// How the name SKILL.md is compared.
    pub name: Option<FileName>,
    /// Directories whose name begins with a dot, below the root.
    pub hidden: Option<Visit>,
    /// Further skills below the directory of a skill.
    pub below_skill: Option<Visit>,
    /// What the repository's ignore files leave out.
    pub ignored: Option<Visit>,
    /// Markdown files in the root itself: a skill each, or nothing.
    pub loose: Option<Visit>,
    /// Directories that are skipped by name.
    pub skipped: Vec<String>,
}

/// How the name SKILL.md is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileName {
    /// Letter by letter.
    Exact,
    /// `SKILL.md`, and `skill.md` where there is no such.
    ExactOrLower,
    /// Whatever the letter case.
    AnyCase,
}

/// Whether something is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visit {
    /// It is.
    Read,
    /// It is not.
    Skipped,
}

/// What the program does with symbolic links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Links {
    /// A directory of a skill that is a link.
    pub directory: Option<Follow>,
    /// A SKILL.md that is a link.
    pub file: Option<Follow>,
    /// A link that leads out of the root.
    pub escape: Option<Follow>,
}

/// What is done with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Follow {
    /// It is followed.
    Followed,
    /// It is passed over.
    Ignored,
    /// It is passed over, and the program says so.
    Refused,
}

/// How the program mends a front matter that does not parse.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Repair {
    /// What it does.
    pub method: RepairMethod,
    /// A plain value is mended when it holds one of these texts.
    #[serde(default)]
    pub containing: Vec<String>,
    /// A plain value is mended when it begins with one of these texts.
    #[serde(default)]
    pub beginning: Vec<String>,
}

/// What a repair does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairMethod {
    /// It quotes plain values and parses again.
    QuoteValues,
    /// It reads `key: value` line by line: the first line of a value is all that is left of it.
    ReadLines,
}

/// By what name the program knows a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Identity {
    /// What is the name.
    pub by: Option<IdentityBy>,
    /// What becomes of a skill whose name is not its directory's.
    pub differs_from_directory: Option<Verdict>,
    /// When two names are one.
    pub equal: Option<Equal>,
    /// Names that no skill may have.
    pub reserved: Vec<String>,
}

/// What is the name of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdentityBy {
    /// The field `name`.
    Name,
    /// The name of the directory.
    Directory,
    /// The field, and the directory where there is none.
    NameElseDirectory,
}

/// When two names are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Equal {
    /// When their characters are the same.
    Exact,
    /// Whatever the letter case.
    AnyCase,
    /// When their NFKC forms are the same.
    Nfkc,
}

/// What the program does with two skills of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Duplicates {
    /// In one root: which of them stays, by path.
    pub same_root: Option<Winner>,
    /// In two roots: which of them stays, by the order of the roots.
    pub across_roots: Option<Winner>,
    /// What becomes of the other, and what is said of it.
    pub loser: Option<Verdict>,
}

/// Which of several skills stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// The first.
    First,
    /// The last.
    Last,
    /// All of them.
    All,
    /// None of them.
    None,
    /// One, and nobody can say which.
    Any,
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
