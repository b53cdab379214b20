//! What every kind of source can do: list a directory, read a file. The walk asks nothing else, so it is written once.

use bstr::{BStr, BString};

use super::Error;
use crate::snapshot::{Mode, ObjectId, State};

/// Something that is read by many threads, each through a reader of its own.
pub(super) trait Store: Send + Sync {
    /// The directory that paths begin at.
    fn top(&self) -> Spot;

    /// A reader for one thread.
    fn reader(&self) -> Box<dyn Reader + '_>;

    /// The hash that ids are made with.
    fn hash(&self) -> gix::hash::Kind;

    /// Whether a path is none of the repository's: then nobody asks by name what stands there.
    fn is_elsewhere(&self, _path: &BStr) -> bool {
        false
    }
}

/// One thread's way to the entries of a [`Store`].
pub(super) trait Reader {
    /// The entries of a directory, sorted by name. A name stands there twice only where one of the two is unmerged.
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error>;

    /// The bytes of a file or a link, and the id of the blob that they make, unless there are more than `limit`.
    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error>;

    /// Where a pack stores a file as the difference from another object. Files that are read in the order of their
    /// positions find what they differ from read just before; those that have none cost the same in any order.
    fn position(&mut self, _file: &Spot) -> Option<Position> {
        None
    }

    /// The id of the blob that a file or a link makes; `None` when it cannot have one.
    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error>;
}

/// The number of a pack, and the offsets in it from the root of a family of objects down to one of them.
pub(super) type Position = Vec<u64>;

/// Where something lies: its path without any link in it, and its id where the store goes by ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// The path from the top.
    pub path: BString,
    /// The id that the store gave it.
    pub id: Option<ObjectId>,
}

impl Spot {
    /// The place of an entry of this directory.
    pub(super) fn child(&self, entry: &Entry) -> Self {
        Self { path: join(self.path.as_ref(), entry.name.as_ref()), id: entry.id }
    }
}

/// A name in a directory and what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub name: BString,
    pub kind: Kind,
    pub id: Option<ObjectId>,
    pub state: State,
}

/// What stands at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What git can name.
    Known(Mode),
    /// Conflict stages.
    Unmerged,
    /// A pipe, a socket or a device of the work tree: never opened, and unknown to git.
    Special,
}

/// The bytes of a file, or how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Bytes { bytes: Vec<u8>, id: ObjectId },
    TooLarge { bytes: u64 },
}

/// A path and a name below it.
pub(super) fn join(directory: &BStr, name: &BStr) -> BString {
    let mut path = BString::from(Vec::with_capacity(directory.len() + 1 + name.len()));
    if !directory.is_empty() {
        path.extend_from_slice(directory);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

/// The entries of that name in a sorted listing.
pub(super) fn named<'a>(entries: &'a [Entry], name: &BStr) -> &'a [Entry] {
    let start = entries.partition_point(|entry| <BString as AsRef<BStr>>::as_ref(&entry.name) < name);
    let length = entries[start..].iter().take_while(|entry| entry.name == name).count();
    &entries[start..start + length]
}
