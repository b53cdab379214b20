//! What a commit of the index would change in a tree.

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, BString};
use skilltree_skills::snapshot::{Mode, ObjectId};
use skilltree_skills::source::store::{self, Entry, Kind};
use skilltree_skills::source::{Difference, Error};

use super::Entries;
use crate::git::objects::ObjectReader;

impl Entries {
    /// Returns the files whose entries differ from those of a tree, sorted by path; `None` if an entry is unmerged or more than `limit`
    /// files differ. Of the tree, only directories that differ are read, and no file is.
    pub(in crate::git) fn differences(
        &self,
        reader: &mut ObjectReader,
        tree: ObjectId,
        limit: usize,
    ) -> Result<Option<Vec<Difference>>, Error> {
        let Some(trees) = self.trees() else { return Ok(None) };
        let mut walk = Walk { entries: self, trees, reader, limit, found: Vec::new() };
        if walk.trees.get(BStr::new("")) != Some(&tree) {
            walk.directory(BStr::new(""), Side::Listed, Some(tree))?;
        }
        let Walk { mut found, .. } = walk;
        if found.len() > limit {
            return Ok(None);
        }
        found.sort_by(|one, two| one.path.cmp(&two.path));
        Ok(Some(found))
    }
}

/// What the index has in the place of a directory.
enum Side {
    /// Nothing.
    Absent,
    /// Entries.
    Listed,
    /// One entry with a tree: a directory outside the cone of a sparse checkout.
    Tree(ObjectId),
}

struct Walk<'a> {
    entries: &'a Entries,
    trees: HashMap<BString, ObjectId>,
    reader: &'a mut ObjectReader,
    limit: usize,
    found: Vec<Difference>,
}

impl Walk<'_> {
    /// Compares a directory of the index with one of the tree.
    fn directory(&mut self, path: &BStr, after: Side, before: Option<ObjectId>) -> Result<(), Error> {
        let after = match after {
            Side::Absent => Vec::new(),
            Side::Listed => self.entries.children(path)?,
            Side::Tree(id) => self.reader.tree(path, id)?,
        };
        let before = before.map_or(Ok(Vec::new()), |id| self.reader.tree(path, id))?;
        let mut names: BTreeMap<&BStr, (Option<&Entry>, Option<&Entry>)> = BTreeMap::new();
        for entry in &before {
            names.entry(entry.name.as_ref()).or_default().0 = Some(entry);
        }
        for entry in &after {
            names.entry(entry.name.as_ref()).or_default().1 = Some(entry);
        }
        for (name, (before, after)) in names {
            if self.found.len() > self.limit {
                return Ok(());
            }
            self.entry(store::join(path, name), before, after)?;
        }
        Ok(())
    }

    fn entry(&mut self, path: BString, before: Option<&Entry>, after: Option<&Entry>) -> Result<(), Error> {
        let directory = |entry: &&Entry| entry.kind == Kind::Known(Mode::Directory);
        let tree_before = before.filter(directory).and_then(|entry| entry.id);
        let tree_after = match after.filter(directory) {
            None => Side::Absent,
            Some(Entry { id: Some(id), .. }) => Side::Tree(*id),
            Some(_) => Side::Listed,
        };
        let id_after = match &tree_after {
            Side::Absent => None,
            Side::Tree(id) => Some(*id),
            Side::Listed => self.trees.get(&path).copied(),
        };
        if (tree_before.is_some() || id_after.is_some()) && tree_before != id_after {
            self.directory(path.as_ref(), tree_after, tree_before)?;
        }
        let file = |entry: Option<&Entry>| match entry {
            Some(Entry { kind: Kind::Known(mode), id: Some(id), .. }) if *mode != Mode::Directory => Some((*mode, *id)),
            _ => None,
        };
        let (before, after) = (file(before), file(after));
        if before != after {
            self.found.push(Difference { path, before, after });
        }
        Ok(())
    }
}
