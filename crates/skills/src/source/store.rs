//! The interface of every kind of source: list a directory, read a file.

use bstr::{BStr, BString};

use super::{Error, HashKind};
use crate::snapshot::{Mode, ObjectId, Stamp, State};

/// Entries that many threads read, each with a separate reader.
pub trait Store: Send + Sync {
    /// Returns the top directory.
    fn top(&self) -> Spot;

    /// Returns a reader for one thread.
    fn reader(&self) -> Box<dyn Reader + '_>;

    /// Returns the hash function of ids.
    fn hash(&self) -> HashKind;

    /// Returns the paths of all entries that [`Reader::outline`] lists apart from directories, if the store knows them without a
    /// walk, sorted by path.
    fn outlined(&self) -> Option<Vec<(Spot, Kind)>> {
        None
    }

    /// Returns whether the repository has the object of a file: an id may be computed from bytes that were never added.
    fn holds(&self, _path: &BStr, _id: ObjectId) -> bool {
        true
    }

    /// Returns what the reads so far could not take into account, although they succeeded.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Returns whether a path is outside the repository, so that its names are not looked up.
    fn is_elsewhere(&self, _path: &BStr) -> bool {
        false
    }
}

/// A store over another one. It answers like the one below, apart from what it defines.
pub(super) trait Layer: Send + Sync {
    /// Whether it adds files, so that the paths which the store below knows without a walk are not all.
    const ADDS_FILES: bool = false;

    /// Returns the store below.
    fn below(&self) -> &dyn Store;

    /// Returns a reader for one thread, over one of the store below.
    fn reader_over<'a>(&'a self, below: Box<dyn Reader + 'a>) -> Box<dyn Reader + 'a>;
}

impl<L: Layer> Store for L {
    fn top(&self) -> Spot {
        self.below().top()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        self.reader_over(self.below().reader())
    }

    fn hash(&self) -> HashKind {
        self.below().hash()
    }

    fn outlined(&self) -> Option<Vec<(Spot, Kind)>> {
        if L::ADDS_FILES { None } else { self.below().outlined() }
    }

    fn holds(&self, path: &BStr, id: ObjectId) -> bool {
        self.below().holds(path, id)
    }

    fn warning(&self) -> Option<String> {
        self.below().warning()
    }

    fn is_elsewhere(&self, path: &BStr) -> bool {
        self.below().is_elsewhere(path)
    }
}

/// Reads the entries of a [`Store`] on one thread.
pub trait Reader {
    /// Returns the entries of a directory, sorted by name. A name appears twice only if one of the two is unmerged.
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error>;

    /// Returns the entries of a directory that may lead to skills, for a search of the whole tree: it may skip directories that
    /// Git ignores or that cannot be read, and files other than `SKILL.md` and manifests of plugins.
    fn outline(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.children(directory)
    }

    /// Returns the bytes of a file or a link and their blob id, unless there are more than `limit`.
    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error>;

    /// Returns the pack position of a file that is stored as a delta. Reading in the order of positions decodes a base
    /// just before its deltas; files without a position cost the same in any order.
    fn position(&mut self, _file: &Spot) -> Option<Position> {
        None
    }

    /// Returns the pattern that makes Git ignore an untracked path itself; `None` if there is none, or it is not known.
    fn ignored_by(&mut self, _path: &BStr, _is_directory: bool) -> Option<IgnoredBy> {
        None
    }

    /// Returns the blob id of a file or a link; `None` if it cannot have one.
    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error>;
}

/// Where a pattern is that makes Git ignore a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredBy {
    /// The path of the file: from the top if it is in the working tree.
    pub file: BString,
    /// The line, from 1.
    pub line: usize,
}

/// A pack number, then the offsets in the pack from the root of a delta chain to the object.
pub type Position = Vec<u64>;

/// A location: a path without links, and the id if the store reads by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// The path from the top.
    pub path: BString,
    /// The id from the store.
    pub id: Option<ObjectId>,
}

impl Spot {
    /// Returns the location of an entry of this directory.
    pub fn child(&self, entry: &Entry) -> Self {
        Self { path: join(self.path.as_ref(), entry.name.as_ref()), id: entry.id }
    }
}

/// A directory entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: BString,
    /// Its kind.
    pub kind: Kind,
    /// Its object id, if the store knows it.
    pub id: Option<ObjectId>,
    /// Its git state.
    pub state: State,
    /// What tells the content of a file in a working tree from an earlier one, if the store knows it without reading.
    pub stamp: Option<Stamp>,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An entry with a git mode.
    Known(Mode),
    /// Conflict stages.
    Unmerged,
    /// A pipe, a socket or a device in the working tree: never opened, and not tracked by git.
    Special,
}

/// The bytes of a file, or their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// All bytes.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// Their blob id.
        id: ObjectId,
    },
    /// More bytes than the limit.
    TooLarge {
        /// Their number.
        bytes: u64,
    },
}

/// Joins a directory and a name.
pub fn join(directory: &BStr, name: &BStr) -> BString {
    let mut path = BString::from(Vec::with_capacity(directory.len() + 1 + name.len()));
    if !directory.is_empty() {
        path.extend_from_slice(directory);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

/// Returns the entries with a name in a sorted listing.
pub fn named<'a>(entries: &'a [Entry], name: &BStr) -> &'a [Entry] {
    let start = entries.partition_point(|entry| <BString as AsRef<BStr>>::as_ref(&entry.name) < name);
    let length = entries[start..].iter().take_while(|entry| entry.name == name).count();
    &entries[start..start + length]
}
