//! Paths of the repository that are left alone.

use bstr::{BStr, ByteSlice};
use globset::GlobSet;

/// Patterns of paths that are not searched for skills.
#[derive(Clone, Debug, Default)]
pub struct Exclude {
    patterns: Vec<String>,
    sets: Vec<GlobSet>,
}

impl Exclude {
    /// Creates the patterns as written, with their matcher.
    pub fn new(patterns: Vec<String>, set: GlobSet) -> Self {
        Self { patterns, sets: vec![set] }
    }

    /// Returns the patterns of both, the first ones first.
    pub fn joined(mut first: Self, second: Self) -> Self {
        first.patterns.extend(second.patterns);
        first.sets.extend(second.sets);
        first
    }

    /// Returns the patterns as written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Returns whether a file or a directory is excluded.
    pub fn contains(&self, path: &BStr) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let path = path.to_path_lossy();
        self.sets.iter().any(|set| set.is_match(&*path))
    }
}

impl PartialEq for Exclude {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Exclude {}
