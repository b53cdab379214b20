//! Which files a runtime takes for skills, and what it does with links.

use serde::Deserialize;

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
    /// A SKILL.md in the root itself.
    pub in_root: Option<Visit>,
    /// Other Markdown files in the root itself: a skill each, or nothing.
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
    /// Nobody knows.
    Unknown,
}
