//! Entries that a sparse checkout omits from the working tree. Git still treats them as present: they are committed as
//! they are in the index.

use bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode as IndexMode};
use skilltree_skills::snapshot::{Mode, ObjectId};
use skilltree_skills::source::Error;
use skilltree_skills::source::store::{self, Content, Entry, Kind, Reader, Spot};

use super::Entries;
use crate::git::objects::{ObjectReader, Objects};

impl Entries {
    /// Returns whether an index entry is intentionally missing from the working tree.
    pub(crate) fn is_sparse(&self) -> bool {
        self.state.entries().iter().any(is_omitted)
    }

    fn omits_below(&self, directory: &BStr) -> bool {
        let prefix = store::join(directory, b"".as_bstr());
        let from = &self.state.entries()[self.first_from(prefix.as_bstr())..];
        from.iter().take_while(|entry| entry.path(&self.state).starts_with(&prefix)).any(is_omitted)
    }

    /// Returns the omitted entry with exactly this path; the path of a directory ends in `/`.
    fn omitted(&self, path: &BStr) -> Option<&gix::index::Entry> {
        self.tracked(path).filter(|entry| is_omitted(entry))
    }
}

fn is_omitted(entry: &gix::index::Entry) -> bool {
    entry.flags.contains(Flags::SKIP_WORKTREE) || entry.mode == IndexMode::DIR
}

/// A reader of omitted entries.
pub(crate) struct Omitted<'a> {
    objects: ObjectReader,
    entries: &'a Entries,
}

impl<'a> Omitted<'a> {
    pub(crate) fn new(objects: &Objects, entries: &'a Entries) -> Self {
        Self { objects: objects.reader(), entries }
    }

    /// Returns the omitted index entries of a directory whose names are not in `there`, which is sorted. Tracked files
    /// that are missing by mistake are not omitted.
    pub(crate) fn children(&mut self, directory: &Spot, there: &[Entry]) -> Result<Vec<Entry>, Error> {
        let path = directory.path.as_bstr();
        let is_there = |entry: &Entry| !store::named(there, entry.name.as_bstr()).is_empty();
        if let Some(id) = directory.id.map_or_else(|| self.tree_at(path), |id| Ok(Some(id)))? {
            let mut children = self.objects.tree(path, id)?;
            children.retain(|entry| !is_there(entry));
            return Ok(children);
        }
        let mut children = self.entries.children(path)?;
        children.retain(|entry| {
            let path = store::join(path, entry.name.as_bstr());
            let is_omitted = match entry.kind {
                Kind::Known(Mode::Directory) => entry.id.is_some() || self.entries.omits_below(path.as_bstr()),
                _ => self.entries.omitted(path.as_bstr()).is_some(),
            };
            is_omitted && !is_there(entry)
        });
        Ok(children)
    }

    /// Returns the bytes of an omitted file or link.
    pub(crate) fn content(&mut self, path: &BStr, limit: u64) -> Result<Option<Content>, Error> {
        let Some(id) = self.id(path)? else { return Ok(None) };
        self.objects.content(&Spot { path: path.to_owned(), id: Some(id) }, limit).map(Some)
    }

    /// Returns the id of an omitted file or link.
    pub(crate) fn id(&mut self, path: &BStr) -> Result<Option<ObjectId>, Error> {
        if let Some(entry) = self.entries.omitted(path) {
            return Ok(Some(ObjectId::new(entry.id.as_bytes())));
        }
        let parent = skilltree_front_matter::text::parent(path);
        let name = path[parent.len()..].trim_start_with(|c| c == '/').as_bstr();
        let Some(tree) = self.tree_at(parent)? else { return Ok(None) };
        let entries = self.objects.tree(parent, tree)?;
        Ok(store::named(&entries, name).first().and_then(|entry| entry.id))
    }

    /// Returns the tree of a directory that is one index entry, or inside one.
    fn tree_at(&mut self, path: &BStr) -> Result<Option<ObjectId>, Error> {
        let ends = path.find_iter(b"/").chain([path.len()]);
        let directory = |end: usize| store::join(path[..end].as_bstr(), b"".as_bstr());
        let found = ends.filter_map(|end| Some((end, self.entries.omitted(directory(end).as_bstr())?))).next();
        let Some((end, entry)) = found else { return Ok(None) };
        let mut id = ObjectId::new(entry.id.as_bytes());
        for name in path[end..].split_str(b"/").filter(|name| !name.is_empty()) {
            let entries = self.objects.tree(path, id)?;
            let named = store::named(&entries, name.as_bstr()).first();
            let directory = named.filter(|entry| entry.kind == Kind::Known(Mode::Directory));
            let Some(found) = directory.and_then(|entry| entry.id) else { return Ok(None) };
            id = found;
        }
        Ok(Some(id))
    }
}
