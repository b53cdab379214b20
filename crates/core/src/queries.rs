//! What the rules of a repository look for while a skill is read. The text of a skill is dropped after it is parsed, so each rule
//! gets its answers then.

use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use globset::GlobSet;
use regex::Regex;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern(pub Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}

/// Files below the directory of a skill.
#[derive(Clone, Debug)]
pub struct Files {
    /// The pattern as written.
    pub pattern: String,
    /// Its matcher, for paths from the directory of the skill.
    pub matcher: GlobSet,
    /// Whether the sizes of the files matter.
    pub sized: bool,
}

impl PartialEq for Files {
    fn eq(&self, other: &Self) -> bool {
        (&self.pattern, self.sized) == (&other.pattern, other.sized)
    }
}

impl Eq for Files {}

impl Files {
    /// Returns whether a path from the directory of a skill matches.
    pub fn matches(&self, path: &BStr) -> bool {
        self.matcher.is_match(&*path.to_path_lossy())
    }
}

/// What one rule looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Text that a SKILL.md must not contain.
    pub forbidden: Option<Pattern>,
    /// Text that a SKILL.md must contain.
    pub required: Option<Pattern>,
    /// Headings that a body must have.
    pub headings: Vec<String>,
    /// Files that a skill must or must not have.
    pub files: Option<Files>,
}

impl Query {
    /// Returns whether the text of a skill matters.
    pub fn is_about_text(&self) -> bool {
        self.forbidden.is_some() || self.required.is_some() || !self.headings.is_empty()
    }
}

/// The queries of all rules, in the order of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queries(Arc<Vec<Query>>);

impl Queries {
    /// Shares the queries among the threads that read.
    pub fn new(queries: Vec<Query>) -> Self {
        Self(Arc::new(queries))
    }

    /// Returns the queries about text, with their numbers.
    pub fn about_text(&self) -> impl Iterator<Item = (usize, &Query)> {
        self.0.iter().enumerate().filter(|(_, query)| query.is_about_text())
    }

    /// Returns the files whose sizes matter.
    pub fn sized(&self) -> Vec<&Files> {
        self.0.iter().filter_map(|query| query.files.as_ref()).filter(|files| files.sized).collect()
    }
}
