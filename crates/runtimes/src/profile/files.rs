//! Which files a runtime reads as skills, and how it handles links.

use serde::Deserialize;

/// Files that the program reads as skills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Files {
    /// Comparison of the file name with SKILL.md.
    pub name: Option<FileName>,
    /// Directories below the root whose names begin with a dot.
    pub hidden: Option<Visit>,
    /// Nested skills in the directory of another skill.
    pub below_skill: Option<Visit>,
    /// Files that the repository's ignore files exclude.
    #[serde(skip)]
    pub ignored: Option<Visit>,
    /// A SKILL.md in the root itself. If nested skills are skipped, it makes all others in the root nested.
    pub in_root: Option<Visit>,
    /// Other Markdown files in the root itself: whether each is a skill.
    pub loose: Option<Visit>,
    /// Directories that are skipped by name.
    pub skipped: Vec<String>,
    /// Whether hidden directories and `node_modules` are skipped unless they are skills themselves.
    #[serde(skip)]
    pub skips_groups: bool,
    /// Directories that are skipped by name below the directory of a skill only.
    #[serde(skip)]
    pub skipped_in_skill: Vec<String>,
    /// Whether a directory with a second SKILL.md in it is refused.
    #[serde(skip)]
    pub only_one: bool,
}

/// Comparison of a file name with SKILL.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileName {
    /// Case-sensitive.
    Exact,
    /// `SKILL.md`, else `skill.md`.
    ExactOrLower,
    /// Case-insensitive.
    AnyCase,
}

/// Whether a file or directory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visit {
    /// It is read.
    Read,
    /// It is skipped.
    Skipped,
}

/// Handling of symbolic links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Links {
    /// A skill directory that is a link.
    pub directory: Option<Follow>,
    /// A SKILL.md that is a link.
    pub file: Option<Follow>,
    /// A link whose target is outside the root.
    pub escape: Option<Follow>,
    /// A link whose target is outside the repository; defaults to `escape`.
    pub outside: Option<Follow>,
}

/// Handling of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Follow {
    /// It is followed.
    Followed,
    /// It is silently ignored.
    Ignored,
    /// It is ignored, and the program reports it.
    Refused,
    /// Unknown.
    Unknown,
}
