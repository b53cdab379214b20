//! The ids of the trees that the roots make.

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

use super::find::Finder;
use super::store::{self, Reader, Spot, Store};
use super::{Error, hash};
use crate::roots::{self, Owner, Root};
use crate::skill::Parsed;
use crate::snapshot::{Body, File, Mode, ObjectId, Resolution, Role, State};

/// The id of the tree of each root.
pub(super) fn trees(store: &dyn Store, parsed: &Parsed) -> Result<Vec<Option<ObjectId>>, Error> {
    // What lies above thousands of roots is listed once.
    let mut finder = Finder::new(store);
    // The files of the walk are sorted by path; those of the configuration stand behind them.
    let walked = parsed.files.iter().position(|file| file.role == Role::Config).unwrap_or(parsed.files.len());
    let files = &parsed.files[..walked];
    let mut tree = |root: &Root| match tree(store, &mut finder, files, root) {
        // What nobody of the repository answers for has no id where it cannot be read.
        Err(_) if root.owner != Owner::Repository => Ok(None),
        tree => tree,
    };
    parsed.roots.iter().map(&mut tree).collect()
}

/// The files below a root, in files that are sorted by path.
fn below<'f>(files: &'f [File], root: &Root) -> &'f [File] {
    let inside = |file: &File| file.path != root.path && roots::is_within(file.path.as_bstr(), root.path.as_bstr());
    let prefix = store::join(root.path.as_bstr(), b"".as_bstr());
    let start = files.partition_point(|file| file.path < prefix);
    let count = files[start..].partition_point(inside);
    &files[start..start + count]
}

fn tree(store: &dyn Store, finder: &mut Finder<'_>, files: &[File], root: &Root) -> Result<Option<ObjectId>, Error> {
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
        let is_entry = !matches!(file.role, Role::Root | Role::Config)
            && file.mode != Mode::Directory
            && file.body != Body::Special;
        if is_below_link || !is_entry || file.state == State::Ignored {
            continue;
        }
        if file.mode == Mode::Link {
            linked = Some(file.path.as_bstr());
        }
        entries.push(file);
    }
    let with_ids = entries
        .par_iter()
        .map_init(|| store.reader(), |reader, file| known(&mut **reader, store.hash(), file))
        .collect();
    let files = Error::collect(with_ids)?;
    Ok(hash::tree(store.hash(), root.path.as_bstr(), &files.iter().collect::<Vec<_>>()))
}

/// A file with the id that a tree would give it: of a link that is its target's text, not what it leads to.
fn known(reader: &mut dyn Reader, hash: gix::hash::Kind, file: &File) -> Result<File, Error> {
    let path = if file.mode == Mode::Link { &file.path } else { file.shown_path() };
    let id = match &file.body {
        Body::Unmerged => None,
        Body::Symlink { target, .. } => hash::blob(hash, target),
        // What was read through a link has the id of what it leads to.
        Body::TooLarge { .. } if file.mode == Mode::Link => reader.id(&Spot { path: path.clone(), id: None })?,
        _ if file.id.is_some() || file.mode == Mode::Submodule => file.id,
        _ => reader.id(&Spot { path: path.clone(), id: None })?,
    };
    Ok(File { id, mode: file.mode, ..File::new(file.path.clone(), file.role, None, Body::NotRead) })
}
