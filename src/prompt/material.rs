//! What a prompt is made of besides the skills: what is read again, and what the caller alone knows.

use std::collections::BTreeMap;

use bstr::BString;

use crate::snapshot::ObjectId;
use crate::text::FileId;

/// The bytes of files, by their numbers.
pub type Contents = BTreeMap<FileId, Vec<u8>>;

/// What is read again or known to the caller alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// The contents of the files that [`super::wanted`] names. One that is missing becomes an entry of `errors`.
    pub contents: Contents,
    /// The tree ids of the roots, in their order; `None` for one that is not there, and all of them outside git.
    pub trees: Vec<Option<ObjectId>>,
    /// The configuration files that had a say, by path, with their blob ids; outside git there are none.
    pub config: BTreeMap<BString, Option<ObjectId>>,
    /// The skills that were not accepted, with the reasons.
    pub skipped: Vec<Skipped>,
    /// What could not be read.
    pub errors: Vec<SourceError>,
}

/// A skill that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The path of its file.
    pub path: BString,
    /// Why.
    pub problems: Vec<Problem>,
}

/// A finding that keeps a skill out of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
    /// The id of the rule.
    pub rule: String,
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceError {
    /// What: a path, or the name of a source.
    pub source: String,
    /// Why.
    pub message: String,
}

/// What was skipped, sorted by path, line and column, each file once and each problem once.
pub(super) fn in_order(skipped: &[Skipped]) -> Vec<Skipped> {
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
    fn what_was_skipped_is_told_once_and_in_order() {
        let problem = |line| Problem { line, column: 1, rule: "x".into(), message: "y".into(), help: None };
        let skipped = |path: &str, lines: &[u32]| Skipped {
            path: path.into(),
            problems: lines.iter().map(|&line| problem(line)).collect(),
        };
        let sorted = in_order(&[skipped("b", &[1]), skipped("a", &[2, 1]), skipped("a", &[2])]);
        assert_eq!(sorted, [skipped("a", &[1, 2]), skipped("b", &[1])]);
    }
}
