//! The index: the state that a commit would record.
#![allow(clippy::disallowed_methods, reason = "the index is a file of the repository")]

mod differences;
mod file;
mod known;
mod scan;
mod sparse;
mod tree;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode as IndexMode, Stage};
use skilltree_front_matter::text;
use skilltree_skills::roots;
use skilltree_skills::snapshot::{Mode, ObjectId, State};
use skilltree_skills::source::store::{self, Content, Entry, Kind, Position, Reader, Spot, Store};
use skilltree_skills::source::{self, Error, HashKind};

pub(crate) use self::sparse::Omitted;
use super::objects::{ObjectReader, Objects};
use crate::hash;

/// The entries of an index in searchable order.
pub(crate) struct Entries {
    state: gix::index::State,
    /// The indexes of the entries by lowercase path; built on a case-insensitive file system.
    folded: OnceLock<BTreeMap<Vec<u8>, usize>>,
}

impl Entries {
    /// Reads an index; a missing file is an index without entries, as before the first `git add`.
    pub(super) fn open(path: &Path, hash: gix::hash::Kind) -> Result<Self, Error> {
        let bad = |reason| Error::Index { reason };
        let state = file::read(path, hash).map_err(bad)?.unwrap_or_else(|| gix::index::State::new(hash));
        let entries = Self { state, folded: OnceLock::new() };
        if entries.are_in_order() { Ok(entries) } else { Err(bad("its entries are malformed or out of order")) }
    }

    /// Returns whether the entries can be searched: ascending, unique, with valid paths. gix does not check this, and a
    /// search in unsorted entries would miss skills.
    fn are_in_order(&self) -> bool {
        let entries = self.state.entries();
        let key = |entry: &gix::index::Entry| (entry.path(&self.state), entry.stage_raw());
        let is_path = |entry: &gix::index::Entry| {
            let path = entry.path(&self.state);
            let path = if entry.mode == IndexMode::DIR { path.strip_suffix(b"/").unwrap_or_default() } else { path };
            path.split(|&byte| byte == b'/').all(|component| !component.is_empty() && !component.contains(&0))
        };
        // A directory outside the cone of a sparse checkout is one entry with a tree, so no other entry may be inside
        // it.
        let is_below = |entry: &gix::index::Entry, directory: &gix::index::Entry| {
            directory.mode == IndexMode::DIR && entry.path(&self.state).starts_with(directory.path(&self.state))
        };
        entries.iter().all(is_path)
            && entries.windows(2).all(|pair| key(&pair[0]) < key(&pair[1]) && !is_below(&pair[1], &pair[0]))
    }

    fn path(&self, number: usize) -> &BStr {
        self.state.entries()[number].path(&self.state)
    }

    /// Returns the index of the first entry at or after a path.
    fn first_from(&self, path: &BStr) -> usize {
        self.state.entries().partition_point(|entry| entry.path(&self.state) < path)
    }

    /// Returns the gix state.
    pub(crate) fn state(&self) -> &gix::index::State {
        &self.state
    }

    /// Returns the entries of a directory, skipping the contents of its subdirectories.
    fn children(&self, directory: &BStr) -> Result<Vec<Entry>, Error> {
        let prefix = store::join(directory, b"".as_bstr());
        let mut number = self.first_from(prefix.as_bstr());
        let mut children = Vec::new();
        while number < self.state.entries().len() {
            let Some(rest) = self.path(number).strip_prefix(prefix.as_slice()) else { break };
            let entry = &self.state.entries()[number];
            let Some(slash) = rest.find_byte(b'/') else {
                number += 1;
                children.extend(self.file(entry, rest.as_bstr())?);
                continue;
            };
            let is_sparse = slash + 1 == rest.len();
            let id = is_sparse.then(|| ObjectId::new(entry.id.as_bytes()));
            let name = BString::from(&rest[..slash]);
            // The first path after a directory begins with its name and the byte after `/`.
            let mut after = store::join(directory, name.as_bstr());
            after.push(b'/' + 1);
            children.push(Entry { name, kind: Kind::Known(Mode::Directory), id, state: State::Tracked, stamp: None });
            number = self.first_from(after.as_bstr());
        }
        children.sort_by(|a, b| a.name.cmp(&b.name));
        children.dedup_by(|a, b| a.name == b.name && a.kind == b.kind);
        let mut twice = children.windows(2).filter(|pair| pair[0].name == pair[1].name);
        if twice.any(|pair| !pair.iter().any(|entry| entry.kind == Kind::Unmerged)) {
            return Err(Error::Index { reason: "it has a file and a directory with the same name" });
        }
        Ok(children)
    }

    fn file(&self, entry: &gix::index::Entry, name: &BStr) -> Result<Option<Entry>, Error> {
        if entry.flags.contains(Flags::INTENT_TO_ADD) {
            return Ok(None);
        }
        let name = name.to_owned();
        if entry.stage() != Stage::Unconflicted {
            return Ok(Some(Entry { name, kind: Kind::Unmerged, id: None, state: State::Tracked, stamp: None }));
        }
        let mode = mode(entry.mode).ok_or(Error::Index { reason: "an entry has a mode that Git does not write" })?;
        let id = Some(ObjectId::new(entry.id.as_bytes()));
        Ok(Some(Entry { name, kind: Kind::Known(mode), id, state: State::Tracked, stamp: None }))
    }
}

fn mode(mode: IndexMode) -> Option<Mode> {
    Some(match mode {
        IndexMode::FILE => Mode::File,
        IndexMode::FILE_EXECUTABLE => Mode::Executable,
        IndexMode::SYMLINK => Mode::Link,
        IndexMode::COMMIT => Mode::Submodule,
        IndexMode::DIR => Mode::Directory,
        _ => return None,
    })
}

/// An index and its objects.
pub(super) struct Index {
    pub(super) objects: Objects,
    pub(super) entries: Entries,
}

impl Store for Index {
    fn top(&self) -> Spot {
        Spot::default()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(IndexReader { objects: self.objects.reader(), entries: &self.entries })
    }

    fn hash(&self) -> HashKind {
        hash::kind(self.entries.state.object_hash())
    }

    /// The paths of an index are sorted already. Directories outside the cone of a sparse checkout need a walk.
    fn outlined(&self) -> Option<Vec<(Spot, Kind)>> {
        let state = &self.entries.state;
        let mut outlined: Vec<(Spot, Kind)> = Vec::new();
        for entry in state.entries() {
            if entry.mode == IndexMode::DIR {
                return None;
            }
            let path = entry.path(state);
            let is_link = entry.mode == IndexMode::SYMLINK;
            let is_named = || roots::is_skill_file(text::file_name(path)) || roots::is_unread_settings(path);
            let leads = is_link || is_named() || roots::manifest(path).is_some();
            let is_skipped = || path.split_str("/").any(|name| source::is_skipped(name.as_bstr()));
            if !leads || entry.flags.contains(Flags::INTENT_TO_ADD) || is_skipped() {
                continue;
            }
            let kind = match entry.stage() {
                Stage::Unconflicted => Kind::Known(mode(entry.mode)?),
                _ => Kind::Unmerged,
            };
            if outlined.last().is_none_or(|(last, _)| last.path != path) && kind != Kind::Known(Mode::Submodule) {
                outlined.push((Spot { path: path.to_owned(), id: Some(ObjectId::new(entry.id.as_bytes())) }, kind));
            }
        }
        Some(outlined)
    }
}

struct IndexReader<'a> {
    objects: ObjectReader,
    entries: &'a Entries,
}

impl Reader for IndexReader<'_> {
    /// A directory with an id is outside the cone of a sparse checkout: the index holds its tree instead.
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        match directory.id {
            Some(id) => self.objects.tree(directory.path.as_bstr(), id),
            None => self.entries.children(directory.path.as_bstr()),
        }
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        self.objects.content(file, limit)
    }

    fn position(&mut self, file: &Spot) -> Option<Position> {
        self.objects.position(file)
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        Ok(file.id)
    }
}
