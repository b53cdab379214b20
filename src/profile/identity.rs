//! By what name a runtime knows a skill, and what it does with two of one name.

use std::borrow::Cow;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

use super::outcome::Verdict;

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

impl Identity {
    /// A name as it is compared with others: two are one when these are the same.
    pub fn compared<'n>(&self, name: Cow<'n, str>) -> Cow<'n, str> {
        match self.equal {
            Some(Equal::AnyCase) => Cow::Owned(name.to_lowercase()),
            Some(Equal::Nfkc) if !name.is_ascii() => Cow::Owned(name.nfkc().collect()),
            Some(Equal::Exact | Equal::Nfkc) | None => name,
        }
    }
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
