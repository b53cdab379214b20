//! Manifests of plugins that cannot be used.

use std::ops::Range;

use skilltree_front_matter::text::FileId;

/// A manifest of plugins with faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The file.
    pub file: FileId,
    /// The faults, at least one, by place.
    pub faults: Vec<ManifestFault>,
}

/// A fault of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFault {
    /// The bytes that it is about; empty for the whole file.
    pub range: Range<usize>,
    /// The fault.
    pub what: ManifestProblem,
}

/// Why skills are not found through a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestProblem {
    /// It is not valid JSON, for this reason.
    Malformed(String),
    /// It starts with a byte order mark, which JSON parsers reject.
    ByteOrderMark,
    /// A value has another type; the key is empty for the whole file.
    WrongType {
        /// The key.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A path leaves the directory that it is relative to.
    Outside {
        /// The path as written.
        path: String,
        /// The directory; empty for the top.
        base: String,
    },
    /// A required key is missing.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A name contains a space.
    Space {
        /// The name.
        name: String,
    },
    /// A path does not start with `./`.
    NotRelative {
        /// The path as written.
        path: String,
    },
    /// A path leads nowhere. A separate rule reports it.
    Gone {
        /// The path as written.
        path: String,
    },
    /// A path leads into `node_modules`.
    Skipped {
        /// The path as written.
        path: String,
    },
    /// It is a symbolic link.
    Link,
    /// It has conflict stages.
    Unmerged,
    /// It is too large to read.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// Further faults, over the limit of one manifest.
    More {
        /// Their number.
        count: usize,
        /// Whether other programs reject one of them, too.
        is_theirs: bool,
    },
}

impl ManifestProblem {
    /// Returns whether skilltree follows the manifest anyway, although Claude Code rejects it.
    pub fn is_only_theirs(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Space { .. } | Self::NotRelative { .. })
    }

    /// Returns whether only skilltree does not follow it: programs that install plugins may.
    pub fn is_only_ours(&self) -> bool {
        matches!(self, Self::Skipped { .. } | Self::Link | Self::More { is_theirs: false, .. })
    }
}
