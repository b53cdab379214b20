//! How a runtime identifies skills, and how it handles duplicate names.

use std::borrow::Cow;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

use super::outcome::Verdict;

/// How the program identifies a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Identity {
    /// Source of the name.
    pub by: Option<IdentityBy>,
    /// Outcome for a skill whose name differs from its directory.
    pub differs_from_directory: Option<Verdict>,
    /// Equality of names.
    pub equal: Option<Equal>,
    /// Names of skills that are always in the system prompt, so no list has them.
    pub reserved: Vec<String>,
}

impl Identity {
    /// Returns the name in the form in which names are compared: equal forms mean equal names.
    pub fn compared<'n>(&self, name: Cow<'n, str>) -> Cow<'n, str> {
        match self.equal {
            Some(Equal::AnyCase) => Cow::Owned(name.to_lowercase()),
            Some(Equal::Nfkc) if !name.is_ascii() => Cow::Owned(name.nfkc().collect()),
            Some(Equal::Exact | Equal::Nfkc) | None => name,
        }
    }
}

/// Source of a skill's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdentityBy {
    /// The `name` field.
    Name,
    /// The name of the directory.
    Directory,
    /// The field, or the directory name if it is absent.
    NameElseDirectory,
}

/// Equality of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Equal {
    /// Identical characters.
    Exact,
    /// Case-insensitive.
    AnyCase,
    /// Equal NFKC forms.
    Nfkc,
}

/// Handling of two skills with the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Duplicates {
    /// The winner within one root, by path.
    pub same_root: Option<Winner>,
    /// The winner across roots, by the order of the roots.
    pub across_roots: Option<Winner>,
    /// The winner if one root is read in several directories from the working directory upwards; the nearest is first.
    pub upwards: Option<Winner>,
    /// Whether directories are compared as `localeCompare` of JavaScript does, not bytewise.
    #[serde(skip)]
    pub by_locale: bool,
    /// Outcome for the other skill, and how it is reported.
    pub loser: Option<Verdict>,
}

/// Which of several skills with the same name is kept.
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
    /// One, in unspecified order.
    Any,
}
