//! The trees that a commit of the index would record.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage};
use gix::objs::{Kind, compute_hash};
use skilltree_skills::snapshot::ObjectId;

use super::Entries;

/// A directory whose entries are being collected.
struct Directory {
    /// The bytes of its path, including the trailing `/`; none for the top.
    prefix: usize,
    /// Its tree object so far.
    bytes: Vec<u8>,
}

impl Entries {
    /// Returns the id of the tree that a commit would record, as `git write-tree` prints it; `None` if an entry is unmerged.
    pub(crate) fn tree(&self) -> Option<ObjectId> {
        self.each_tree(|_, _| {})
    }

    /// Returns the ids of the trees of all directories that are no entries themselves, by path; `None` if an entry is unmerged.
    /// The tree cache of the index is not used, because nothing verifies it.
    pub(super) fn trees(&self) -> Option<HashMap<BString, ObjectId>> {
        let mut trees = HashMap::new();
        let top = self.each_tree(|path, id| {
            trees.insert(path.to_owned(), id);
        })?;
        trees.insert(BString::default(), top);
        Some(trees)
    }

    /// Computes the tree of each directory below the top, and returns the id of the top.
    fn each_tree(&self, mut found: impl FnMut(&BStr, ObjectId)) -> Option<ObjectId> {
        let mut open = vec![Directory { prefix: 0, bytes: Vec::new() }];
        let mut last = BStr::new("");
        for entry in self.state.entries() {
            if entry.stage() != Stage::Unconflicted {
                return None;
            }
            if entry.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            let path = entry.path(&self.state);
            while !path.starts_with(&last[..open.last()?.prefix]) {
                self.close(&mut open, last, &mut found)?;
            }
            // A directory outside the cone of a sparse checkout is one entry, whose path ends in `/`.
            let name = if entry.mode == Mode::DIR { path.strip_suffix(b"/")? } else { path.as_bytes() };
            let start = open.last()?.prefix;
            for slash in name[start..].find_iter(b"/") {
                open.push(Directory { prefix: start + slash + 1, bytes: Vec::new() });
            }
            let directory = open.last_mut()?;
            directory.add(entry.mode.bits(), &name[directory.prefix..], entry.id.as_bytes());
            last = path;
        }
        while open.len() > 1 {
            self.close(&mut open, last, &mut found)?;
        }
        self.id_of(&open.pop()?.bytes)
    }

    /// Ends the innermost directory, and adds it to its parent.
    fn close(&self, open: &mut Vec<Directory>, path: &BStr, found: &mut impl FnMut(&BStr, ObjectId)) -> Option<()> {
        let closed = open.pop()?;
        let id = self.id_of(&closed.bytes)?;
        let parent = open.last_mut()?;
        let directory = path[..closed.prefix - 1].as_bstr();
        parent.add(Mode::DIR.bits(), &directory[parent.prefix..], id.as_bytes());
        found(directory, id);
        Some(())
    }

    fn id_of(&self, tree: &[u8]) -> Option<ObjectId> {
        let id = compute_hash(self.state.object_hash(), Kind::Tree, tree).ok()?;
        Some(ObjectId::new(id.as_bytes()))
    }
}

impl Directory {
    fn add(&mut self, mode: u32, name: &[u8], id: &[u8]) {
        self.bytes.extend_from_slice(format!("{mode:o} ").as_bytes());
        self.bytes.extend_from_slice(name);
        self.bytes.push(0);
        self.bytes.extend_from_slice(id);
    }
}
