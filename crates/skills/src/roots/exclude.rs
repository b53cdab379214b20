//! Paths of the repository that are left alone.

use bstr::{BStr, ByteSlice};
use globset::GlobSet;

/// Patterns of paths that are not searched for skills.
#[derive(Clone, Debug, Default)]
pub struct Exclude {
    patterns: Vec<String>,
    set: GlobSet,
}

impl Exclude {
    /// Creates the patterns as written, with their matcher.
    pub fn new(patterns: Vec<String>, set: GlobSet) -> Self {
        Self { patterns, set }
    }

    /// Returns the patterns as written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Returns whether a file or a directory is excluded.
    pub fn contains(&self, path: &BStr) -> bool {
        !self.patterns.is_empty() && self.set.is_match(&*path.to_path_lossy())
    }
}

impl PartialEq for Exclude {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Exclude {}
