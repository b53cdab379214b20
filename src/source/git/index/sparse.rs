//! What a sparse checkout leaves out of the work tree. To git it is there all the same: it is added, compared and committed as
//! the index has it.

use bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode as IndexMode};

use super::Entries;
use crate::snapshot::{Mode, ObjectId};
use crate::source::Error;
use crate::source::git::objects::{ObjectReader, Objects};
use crate::source::store::{self, Content, Entry, Kind, Reader, Spot};

impl Entries {
    /// Whether something of the index is meant to be missing from the work tree.
    pub(in crate::source) fn is_sparse(&self) -> bool {
        self.state.entries().iter().any(is_left_out)
    }

    fn leaves_out_below(&self, directory: &BStr) -> bool {
        let prefix = store::join(directory, b"".as_bstr());
        let from = &self.state.entries()[self.first_from(prefix.as_bstr())..];
        from.iter().take_while(|entry| entry.path(&self.state).starts_with(&prefix)).any(is_left_out)
    }

    /// The entry of exactly this path that is left out; that of a directory ends in `/`.
    fn left_out(&self, path: &BStr) -> Option<&gix::index::Entry> {
        self.tracked(path).filter(|entry| is_left_out(entry))
    }
}

fn is_left_out(entry: &gix::index::Entry) -> bool {
    entry.flags.contains(Flags::SKIP_WORKTREE) || entry.mode == IndexMode::DIR
}

/// One thread's way to what is left out.
pub(in crate::source) struct LeftOut<'a> {
    objects: ObjectReader,
    entries: &'a Entries,
}

impl<'a> LeftOut<'a> {
    pub(in crate::source) fn new(objects: &Objects, entries: &'a Entries) -> Self {
        Self { objects: objects.reader(), entries }
    }

    /// What the index has in a directory beside the names that are on the disk, which are sorted, unless it is missing there by mistake.
    pub(in crate::source) fn children(&mut self, directory: &Spot, there: &[Entry]) -> Result<Vec<Entry>, Error> {
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
            let is_left_out = match entry.kind {
                Kind::Known(Mode::Directory) => entry.id.is_some() || self.entries.leaves_out_below(path.as_bstr()),
                _ => self.entries.left_out(path.as_bstr()).is_some(),
            };
            is_left_out && !is_there(entry)
        });
        Ok(children)
    }

    /// The bytes of a file or a link that is left out.
    pub(in crate::source) fn content(&mut self, path: &BStr, limit: u64) -> Result<Option<Content>, Error> {
        let Some(id) = self.id(path)? else { return Ok(None) };
        self.objects.content(&Spot { path: path.to_owned(), id: Some(id) }, limit).map(Some)
    }

    /// The id of a file or a link that is left out.
    pub(in crate::source) fn id(&mut self, path: &BStr) -> Result<Option<ObjectId>, Error> {
        if let Some(entry) = self.entries.left_out(path) {
            return Ok(Some(ObjectId::new(entry.id.as_bytes())));
        }
        let parent = crate::text::parent(path);
        let name = path[parent.len()..].trim_start_with(|c| c == '/').as_bstr();
        let Some(tree) = self.tree_at(parent)? else { return Ok(None) };
        let entries = self.objects.tree(parent, tree)?;
        Ok(store::named(&entries, name).first().and_then(|entry| entry.id))
    }

    /// The tree of a directory that the index has as one entry, or that lies in such a one.
    fn tree_at(&mut self, path: &BStr) -> Result<Option<ObjectId>, Error> {
        let ends = path.find_iter(b"/").chain([path.len()]);
        let directory = |end: usize| store::join(path[..end].as_bstr(), b"".as_bstr());
        let found = ends.filter_map(|end| Some((end, self.entries.left_out(directory(end).as_bstr())?))).next();
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
