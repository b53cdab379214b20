//! What the rules of a repository look for while a skill is read. The text of a skill is dropped after it is parsed, so each rule
//! gets its answers then.

use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use globset::GlobSet;
use regex::Regex;

pub mod words;

use words::Words;

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
    /// Text that no searched file may contain.
    pub forbidden: Option<Pattern>,
    /// Words that no searched file may contain.
    pub words: Option<Words>,
    /// Text that one of the searched files must contain.
    pub required: Option<Pattern>,
    /// The searched Markdown files; `None` for SKILL.md only.
    pub texts: Option<Files>,
    /// Headings that a body must have.
    pub headings: Vec<String>,
    /// Files that a skill must or must not have.
    pub files: Option<Files>,
}

impl Query {
    /// Returns whether it has a condition on text.
    pub fn has_text(&self) -> bool {
        self.forbidden.is_some() || self.words.is_some() || self.required.is_some()
    }

    /// Returns whether the text of a skill matters.
    pub fn is_about_text(&self) -> bool {
        self.has_text() || !self.headings.is_empty()
    }

    /// Returns whether text is searched in a reference file with this path from the directory of its skill, or in SKILL.md.
    pub fn searches(&self, reference: Option<&BStr>) -> bool {
        self.has_text()
            && match &self.texts {
                Some(files) => files.matches(reference.unwrap_or("SKILL.md".into())),
                None => reference.is_none(),
            }
    }
}

/// A file that lists skills.
#[derive(Clone, Debug)]
pub struct List {
    /// The path of the file from the top.
    pub file: String,
    /// The pattern of an entry; its first group, or the group `skill`, names a skill.
    pub pattern: Pattern,
    /// The skills that it must list; all of them if there is no pattern.
    pub skills: Option<GlobSet>,
    /// The patterns of the skills as written.
    pub paths: Vec<String>,
    /// Whether the entries are in alphabetical order.
    pub ordered: bool,
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        let key = |list: &'_ Self| (list.file.clone(), list.pattern.clone(), list.paths.clone(), list.ordered);
        key(self) == key(other)
    }
}

impl Eq for List {}

impl List {
    /// Returns whether it must list the skill with this file.
    pub fn covers(&self, path: &BStr) -> bool {
        self.skills.as_ref().is_none_or(|skills| skills.is_match(&*path.to_path_lossy()))
    }
}

/// The queries of all rules, in the order of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queries {
    rules: Arc<Vec<Query>>,
    lists: Arc<Vec<List>>,
}

impl Queries {
    /// Shares the queries among the threads that read.
    pub fn new(rules: Vec<Query>, lists: Vec<List>) -> Self {
        Self { rules: Arc::new(rules), lists: Arc::new(lists) }
    }

    /// Returns the files that list skills.
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// Returns the queries about text, with their numbers.
    pub fn about_text(&self) -> impl Iterator<Item = (usize, &Query)> {
        self.rules.iter().enumerate().filter(|(_, query)| query.is_about_text())
    }

    /// Returns whether text is searched in reference files.
    pub fn are_about_references(&self) -> bool {
        self.rules.iter().any(|query| query.texts.is_some())
    }

    /// Returns the files whose sizes matter.
    pub fn sized(&self) -> Vec<&Files> {
        self.rules.iter().filter_map(|query| query.files.as_ref()).filter(|files| files.sized).collect()
    }
}
