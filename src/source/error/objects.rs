//! Objects that cannot be trusted, and what is wrong with them.

use std::fmt;

use bstr::{BString, ByteSlice};

use crate::snapshot::ObjectId;
use crate::text;

/// An object that cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadObject {
    /// The path or the revision that led to it; empty for the tree at the top.
    pub path: BString,
    /// Its id.
    pub id: ObjectId,
    /// What is wrong with it.
    pub damage: Damage,
}

/// What is wrong with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// It is not there.
    Missing,
    /// It is not there, and this clone fetches objects only when git asks for them.
    NotFetched,
    /// It cannot be decoded.
    Undecodable,
    /// Its content has another id.
    Mismatch,
    /// It is of another kind than the tree says.
    Mistyped,
    /// It is larger than anything that is read.
    Oversized,
    /// It is a tree with a name twice, names out of order, or a name that no path can hold.
    MalformedTree,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::NotFetched => "not fetched",
            Self::Undecodable => "cannot be decoded",
            Self::Mismatch => "its content has another id",
            Self::Mistyped => "is of another kind than its tree says",
            Self::Oversized => "is larger than 16 MiB",
            Self::MalformedTree => "is a malformed tree",
        })
    }
}

/// How many damaged objects are listed.
const SHOWN: usize = 20;

/// The objects in words, each with what led to it.
pub(super) fn words(bad: &[BadObject]) -> String {
    let mut text = match bad.len() {
        1 => "1 object cannot be read".to_owned(),
        count => format!("{count} objects cannot be read"),
    };
    for object in bad.iter().take(SHOWN) {
        let path = text::lossless(object.path.as_bstr());
        text.push_str(&format!("\n  {path} ({}): {}", object.id, object.damage));
    }
    if bad.len() > SHOWN {
        text.push_str(&format!("\n  and {} more", bad.len() - SHOWN));
    }
    text
}
