//! Missing and damaged objects.

use std::fmt;

use bstr::{BString, ByteSlice};

use crate::snapshot::ObjectId;
use skilltree_front_matter::text;

/// An object that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadObject {
    /// The path or the revision that refers to it; empty for the top tree.
    pub path: BString,
    /// Its id.
    pub id: ObjectId,
    /// What is wrong with it.
    pub damage: Damage,
}

/// What is wrong with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// It does not exist.
    Missing,
    /// It does not exist in this partial clone, and only git fetches it.
    NotFetched,
    /// It cannot be decoded.
    Undecodable,
    /// Its content does not match its id.
    Mismatch,
    /// Its type differs from the type in the tree.
    Mistyped,
    /// It is larger than [`crate::source::OBJECT_BYTES`].
    Oversized,
    /// It is a tree with a duplicate name, unsorted names, or an invalid name.
    MalformedTree,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::NotFetched => "not fetched",
            Self::Undecodable => "cannot be decoded",
            Self::Mismatch => "its content does not match its id",
            Self::Mistyped => "is not of the type in its tree",
            Self::Oversized => "is larger than 16 MiB",
            Self::MalformedTree => "is a malformed tree",
        })
    }
}

impl BadObject {
    fn words(&self) -> String {
        format!("{} ({}): {}", text::lossless(self.path.as_bstr()), self.id, self.damage)
    }
}

/// Maximum number of damaged objects in a message.
const SHOWN: usize = 20;

/// Formats the objects in one line: a single one with the path that refers to it, several as their number.
pub(super) fn words(bad: &[BadObject]) -> String {
    match bad {
        [one] => format!("1 object cannot be read: {}", one.words()),
        bad => format!("{} objects cannot be read", text::grouped(bad.len())),
    }
}

/// Lists several objects, each with the path that refers to it.
pub(super) fn lines(bad: &[BadObject]) -> Vec<String> {
    if bad.len() < 2 {
        return Vec::new();
    }
    let mut lines: Vec<String> = bad.iter().take(SHOWN).map(BadObject::words).collect();
    if bad.len() > SHOWN {
        lines.push(format!("and {} more", text::grouped(bad.len() - SHOWN)));
    }
    lines
}
