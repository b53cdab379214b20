//! Sources in memory: examples of rules, tests, and one SKILL.md on standard input.

use std::collections::BTreeMap;
use std::ops::Bound;

use bstr::{BStr, BString, ByteSlice};

use super::store::{self, Content as Read, Entry as Child, Kind, Reader, Spot, Store};
use super::{Error, HashKind, hash};
use crate::snapshot::{Mode, ObjectId, State};

/// A path and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The path from the top, `/` between components.
    pub path: BString,
    /// Its content.
    pub content: Content,
}

/// The content of a path in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A regular file.
    File(Vec<u8>),
    /// A regular file with the executable bit.
    Executable(Vec<u8>),
    /// A symbolic link with its target.
    Link(BString),
    /// A commit of another repository.
    Submodule,
    /// A directory; needed for an empty one only.
    Directory,
    /// Conflict stages.
    Unmerged,
    /// A regular file of a working tree that is not added.
    Untracked(Vec<u8>),
    /// A regular file of a working tree that an ignore file matches.
    Ignored(Vec<u8>),
}

impl Content {
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::File(bytes) | Self::Executable(bytes) | Self::Untracked(bytes) | Self::Ignored(bytes) => Some(bytes),
            Self::Link(target) => Some(target),
            Self::Submodule | Self::Directory | Self::Unmerged => None,
        }
    }

    fn state(&self) -> State {
        match self {
            Self::Untracked(_) => State::Untracked,
            Self::Ignored(_) => State::Ignored,
            _ => State::Tracked,
        }
    }

    fn kind(&self) -> Kind {
        Kind::Known(match self {
            Self::File(_) | Self::Untracked(_) | Self::Ignored(_) => Mode::File,
            Self::Executable(_) => Mode::Executable,
            Self::Link(_) => Mode::Link,
            Self::Submodule => Mode::Submodule,
            Self::Directory => Mode::Directory,
            Self::Unmerged => return Kind::Unmerged,
        })
    }
}

/// Files in memory by path, each with its git id.
pub(super) struct Memory {
    files: BTreeMap<BString, (Content, Option<ObjectId>)>,
}

impl Memory {
    /// Creates a store of these entries; of two with the same path the later wins.
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        let file = |Entry { path, content }| {
            let id = Content::bytes(&content).and_then(|bytes| hash::blob(HashKind::Sha1, bytes));
            (path, (content, id))
        };
        Self { files: entries.into_iter().map(file).collect() }
    }

    /// Returns the first path at or after this one.
    fn first_from(&self, path: &BString) -> Option<(&BString, &(Content, Option<ObjectId>))> {
        self.files.range::<BString, _>((Bound::Included(path), Bound::Unbounded)).next()
    }
}

impl Store for Memory {
    fn top(&self) -> Spot {
        Spot::default()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(self)
    }

    fn hash(&self) -> HashKind {
        HashKind::Sha1
    }
}

impl Reader for &Memory {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Child>, Error> {
        let prefix = store::join(directory.path.as_bstr(), b"".as_bstr());
        let mut from = prefix.clone();
        let mut children: Vec<Child> = Vec::new();
        while let Some((path, (content, id))) = self.first_from(&from) {
            let Some(rest) = path.strip_prefix(prefix.as_slice()) else { break };
            let (name, kind, id, state) = match rest.find_byte(b'/') {
                Some(slash) => (&rest[..slash], Kind::Known(Mode::Directory), None, State::Tracked),
                None => (rest, content.kind(), *id, content.state()),
            };
            // The first path after a directory begins with its name and the byte after `/`.
            from = prefix.clone();
            from.extend_from_slice(name);
            from.push(if rest.len() > name.len() { b'/' + 1 } else { 0 });
            if !name.is_empty() {
                children.push(Child { name: name.into(), kind, id, state, stamp: None });
            }
        }
        // An explicit directory that also has files is listed once.
        children.sort_by(|a, b| a.name.cmp(&b.name));
        children.dedup_by(|a, b| a.name == b.name);
        Ok(children)
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Read, Error> {
        let found = self.files.get(&file.path).and_then(|(content, id)| Some((content.bytes()?, (*id)?)));
        let Some((bytes, id)) = found else { return Err(missing(file.path.as_bstr())) };
        let size = bytes.len() as u64;
        Ok(if size > limit { Read::TooLarge { bytes: size } } else { Read::Bytes { bytes: bytes.to_vec(), id } })
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        Ok(self.files.get(&file.path).and_then(|(_, id)| *id))
    }
}

fn missing(path: &BStr) -> Error {
    Error::Unreadable { path: path.to_owned(), reason: "it does not exist".to_owned() }
}
