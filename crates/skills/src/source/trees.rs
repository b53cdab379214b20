//! Tree ids of the roots.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use super::find::Finder;
use super::store::{self, Reader, Spot, Store};
use super::{Error, HashKind, hash};
use crate::parallel;
use crate::roots::{self, Owner, Root};
use crate::snapshot::{Body, File, Mode, ObjectId, Resolution, Role, State, Unread};
use skilltree_front_matter::text;

/// Returns the tree id of each root; `None` for a root in which something could not be read.
pub(super) fn trees(
    store: &dyn Store,
    files: &[File],
    roots: &[Root],
    unread: &[Unread],
) -> Result<Vec<Option<ObjectId>>, Error> {
    // One cache, so that the directories above thousands of roots are listed once.
    let mut finder = Finder::new(store);
    // Files of the walk are sorted by path; configuration files follow.
    let walked = files.iter().position(|file| file.role == Role::Config).unwrap_or(files.len());
    let files = &files[..walked];
    let unread: BTreeSet<&BStr> = unread.iter().flat_map(|entry| above(entry.path.as_bstr())).collect();
    let mut of = |root: &Root| match unread.contains(root.path.as_bstr()) {
        true => Ok(None),
        false => tree(store, &mut finder, files, root),
    };
    let mut tree = |root: &Root| match of(root) {
        // Outside the repository an unreadable root has no id and is not an error.
        Err(_) if root.owner != Owner::Repository => Ok(None),
        tree => tree,
    };
    roots.iter().map(&mut tree).collect()
}

/// Returns the directories above a path, without the top.
fn above(path: &BStr) -> impl Iterator<Item = &BStr> {
    std::iter::successors(Some(path), |path| Some(text::parent(path))).skip(1).take_while(|path| !path.is_empty())
}

/// Returns the id of each file. Those that a working tree did not read are hashed now, without those that Git ignores.
pub(super) fn ids(store: &dyn Store, files: &[File]) -> Result<Vec<Option<ObjectId>>, Error> {
    let is_hashed = |file: &File| file.id.is_none() && file.role == Role::Other && is_entry(file);
    let ids = parallel::map_init(
        files,
        || store.reader(),
        |reader, file| match is_hashed(file) && file.state != State::Ignored {
            true => known(&mut **reader, store.hash(), file).map(|file| file.id),
            false => Ok(file.id),
        },
    );
    Error::collect(ids)
}

/// Returns the files below a root, from files that are sorted by path.
fn below<'f>(files: &'f [File], root: &Root) -> &'f [File] {
    let inside = |file: &File| file.path != root.path && roots::is_within(file.path.as_bstr(), root.path.as_bstr());
    let prefix = store::join(root.path.as_bstr(), b"".as_bstr());
    let start = files.partition_point(|file| file.path < prefix);
    let count = files[start..].partition_point(inside);
    &files[start..start + count]
}

fn tree(store: &dyn Store, finder: &mut Finder<'_>, files: &[File], root: &Root) -> Result<Option<ObjectId>, Error> {
    // Of the whole repository only the skills are read.
    if root.path.is_empty() {
        return Ok(None);
    }
    if root.owner == Owner::Repository {
        let Resolution::Directory(path) = finder.resolve(b"".as_bstr(), root.path.as_bstr())? else { return Ok(None) };
        let Some(directory) = finder.directory(path.as_bstr())? else { return Ok(None) };
        if directory.id.is_some() {
            return Ok(directory.id);
        }
    }
    let mut linked: Option<&BStr> = None;
    let mut entries = Vec::new();
    for file in below(files, root) {
        let is_below_link = linked.is_some_and(|link| roots::is_within(file.path.as_bstr(), link));
        if is_below_link || !is_entry(file) || file.state == State::Ignored {
            continue;
        }
        if file.mode == Mode::Link {
            linked = Some(file.path.as_bstr());
        }
        entries.push(file);
    }
    let with_ids =
        parallel::map_init(&entries, || store.reader(), |reader, file| known(&mut **reader, store.hash(), file));
    let files = Error::collect(with_ids)?;
    Ok(hash::tree(store.hash(), root.path.as_bstr(), &files.iter().collect::<Vec<_>>()))
}

/// Returns whether a file is an entry of a tree.
fn is_entry(file: &File) -> bool {
    !matches!(file.role, Role::Root | Role::Config) && file.mode != Mode::Directory && file.body != Body::Special
}

/// Returns a file with its id in a tree: for a link, the id of its target's text, not of the target.
fn known(reader: &mut dyn Reader, hash: HashKind, file: &File) -> Result<File, Error> {
    let path = if file.mode == Mode::Link { &file.path } else { file.shown_path() };
    let id = match &file.body {
        Body::Unmerged => None,
        Body::Symlink { target, .. } => hash::blob(hash, target),
        // The id that the walk stored is that of the target.
        Body::TooLarge { .. } if file.mode == Mode::Link => reader.id(&Spot { path: path.clone(), id: None })?,
        _ if file.id.is_some() || file.mode == Mode::Submodule => file.id,
        _ => reader.id(&Spot { path: path.clone(), id: None })?,
    };
    Ok(File { id, mode: file.mode, ..File::new(file.path.clone(), file.role, None, Body::NotRead) })
}
