//! Verification: compares existing files with an artifact.

use super::{Artifact, Name};

/// File that differs from the artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The file.
    pub name: Name,
    /// Kind of the difference.
    pub how: How,
}

/// Kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The file is missing.
    Missing,
    /// The file must not exist.
    Stale,
    /// The bytes differ, first in this line.
    Changed {
        /// Line, from 1.
        line: usize,
    },
}

impl Difference {
    /// Returns the difference as one line of text.
    pub fn message(&self) -> String {
        let name = self.name.as_str();
        match self.how {
            How::Missing => format!("{name} is missing"),
            How::Stale => format!("{name} exists, but no skill was skipped"),
            How::Changed { line } => format!("{name} differs from line {line}"),
        }
    }
}

/// Compares files with an artifact, in the order of `Name::REPRODUCED`; `existing` returns the bytes of a file, if it
/// exists.
pub fn verify(artifact: &Artifact, mut existing: impl FnMut(Name) -> Option<Vec<u8>>) -> Vec<Difference> {
    let compare = |name: Name| {
        let how = match (artifact.file(name), existing(name)) {
            (None, None) => return None,
            (Some(_), None) => How::Missing,
            (None, Some(_)) => How::Stale,
            (Some(wanted), Some(found)) if wanted == found => return None,
            (Some(wanted), Some(found)) => How::Changed { line: first_difference(wanted, &found) },
        };
        Some(Difference { name, how })
    };
    Name::REPRODUCED.into_iter().filter_map(compare).collect()
}

fn first_difference(a: &[u8], b: &[u8]) -> usize {
    let alike = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    1 + a[..alike].iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Selected;

    fn artifact() -> Artifact {
        let files = vec![(Name::Block, b"a\nb\n".to_vec()), (Name::Index, b"{}".to_vec())];
        Artifact { files, selected: Selected::default(), refused: Vec::new() }
    }

    fn differences(existing: &[(Name, &str)]) -> Vec<String> {
        let find = |name| existing.iter().find(|(other, _)| *other == name).map(|(_, text)| text.as_bytes().to_vec());
        verify(&artifact(), find).iter().map(Difference::message).collect()
    }

    #[test]
    fn equal_files_do_not_differ() {
        assert_eq!(differences(&[(Name::Block, "a\nb\n"), (Name::Index, "{}")]), [""; 0]);
    }

    #[test]
    fn reports_missing_changed_and_stale_files() {
        let messages = differences(&[(Name::Block, "a\nc\n"), (Name::Comment, "x")]);
        assert_eq!(
            messages,
            [
                "available-skills.md differs from line 2",
                "skills.json is missing",
                "comment.md exists, but no skill was skipped",
            ]
        );
        assert_eq!(
            differences(&[(Name::Block, "a\nb\nc"), (Name::Index, "{}")]),
            ["available-skills.md differs from line 3"]
        );
    }
}
