//! Input of a prompt besides the skills: contents that are read again, and data that only the caller has.

use std::collections::BTreeMap;

use bstr::BString;
use serde::Serialize;

use skilltree_front_matter::text::FileId;
use skilltree_skills::snapshot::ObjectId;

/// Bytes of files, by id.
pub type Contents = BTreeMap<FileId, Vec<u8>>;

/// Contents that are read again, and data that only the caller has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// Contents of the files that [`super::wanted`] returns. A missing one is reported in `errors`.
    pub contents: Contents,
    /// Tree ids of the roots, in order; `None` for a missing root, and for all roots outside Git.
    pub trees: Vec<Option<ObjectId>>,
    /// Digest of everything that the block depends on; `None` if it is not known.
    pub digest: Option<String>,
    /// Configuration files that were used, by path, with their blob ids; empty outside Git.
    pub config: BTreeMap<BString, Option<ObjectId>>,
    /// Skills that were not accepted, with reasons.
    pub skipped: Vec<Skipped>,
    /// Configuration files with faults, for the comment; `errors` has them too.
    pub settings: Vec<Skipped>,
    /// Read errors.
    pub errors: Vec<SourceError>,
}

/// Skill that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Path of its file.
    pub path: BString,
    /// Findings that exclude it.
    pub problems: Vec<Problem>,
}

/// Finding that excludes a skill from a prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
    /// Id of the rule.
    pub rule: String,
    /// Message of the finding.
    pub message: String,
    /// Help of the finding.
    pub help: Option<String>,
}

/// Read error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SourceError {
    /// Path or name of the source.
    pub source: String,
    /// Error message.
    pub message: String,
}

/// Sorts skipped skills by path, line and column, and removes duplicate files and problems.
pub(super) fn sorted_skipped(skipped: &[Skipped]) -> Vec<Skipped> {
    let mut by_path: BTreeMap<&BString, Vec<Problem>> = BTreeMap::new();
    for entry in skipped {
        by_path.entry(&entry.path).or_default().extend(entry.problems.iter().cloned());
    }
    by_path
        .into_iter()
        .map(|(path, mut problems)| {
            problems.sort();
            problems.dedup();
            Skipped { path: path.clone(), problems }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_deduplicates_skipped_skills() {
        let problem = |line| Problem { line, column: 1, rule: "x".into(), message: "y".into(), help: None };
        let skipped = |path: &str, lines: &[u32]| Skipped {
            path: path.into(),
            problems: lines.iter().map(|&line| problem(line)).collect(),
        };
        let sorted = sorted_skipped(&[skipped("b", &[1]), skipped("a", &[2, 1]), skipped("a", &[2])]);
        assert_eq!(sorted, [skipped("a", &[1, 2]), skipped("b", &[1])]);
    }
}
