//! Whether files are what an artifact would be.

use super::{Artifact, Name};

/// A file that is not what the artifact holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The file.
    pub name: Name,
    /// How it differs.
    pub how: How,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It does not exist and should.
    Missing,
    /// It exists and should not.
    Stale,
    /// It has other bytes, in this line first.
    Changed {
        /// The line, from 1.
        line: usize,
    },
}

impl Difference {
    /// The fact, in one line.
    pub fn message(&self) -> String {
        let name = self.name.as_str();
        match self.how {
            How::Missing => format!("{name} is missing"),
            How::Stale => format!("{name} is there, and nothing was skipped"),
            How::Changed { line } => format!("{name} differs from line {line} on"),
        }
    }
}

/// Compares files with an artifact, in the order of [`Name::REPRODUCED`]; `existing` gives the bytes of a file that exists.
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
    fn the_same_files_do_not_differ() {
        assert_eq!(differences(&[(Name::Block, "a\nb\n"), (Name::Index, "{}")]), [""; 0]);
    }

    #[test]
    fn a_file_that_is_missing_changed_or_stale_is_said() {
        let messages = differences(&[(Name::Block, "a\nc\n"), (Name::Comment, "x")]);
        assert_eq!(
            messages,
            [
                "available-skills.md differs from line 2 on",
                "skills.json is missing",
                "comment.md is there, and nothing was skipped",
            ]
        );
        assert_eq!(
            differences(&[(Name::Block, "a\nb\nc"), (Name::Index, "{}")]),
            ["available-skills.md differs from line 3 on"]
        );
    }
}
