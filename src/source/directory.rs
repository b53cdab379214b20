//! Directories of the disk: the work tree of a repository, or a directory that lies in none. Nothing is followed and
//! nothing is opened that is not a regular file.

mod disk;
mod ignored;
mod listing;

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use self::disk::{Disk, Status};
use self::ignored::Ignores;
use super::base::Base;
use super::find::PATH_BYTES;
use super::git::{Checkout, Entries, Filesystem, LeftOut, OBJECT_BYTES, Objects};
use super::store::{Content, Entry, Reader, Spot, Store};
use super::{Error, Source, hash};
use crate::snapshot::{Mode, ObjectId, Origin};

/// Bytes of a file whose id is computed only to name a tree (ours: 256 MiB, half a second): a file without blocks on the
/// disk can have any length.
const HASHED_BYTES: u64 = 256 << 20;

/// A directory of the disk, and the repository whose work tree it is.
pub(super) struct Directory {
    disk: Disk,
    repository: Option<Repository>,
    /// A directory of which one entry alone is listed.
    only: Option<(BString, BString)>,
    /// The hash that ids are made with where there is no repository.
    hash: gix::hash::Kind,
}

/// What git knows of a work tree.
struct Repository {
    objects: Objects,
    entries: Entries,
    filesystem: Filesystem,
    /// Whether a sparse checkout leaves something out of it.
    is_sparse: bool,
}

impl Directory {
    /// A directory in no repository. With `only`, a directory and a name, nothing else is listed in that directory.
    pub(super) fn plain(top: PathBuf, only: Option<(BString, BString)>) -> Self {
        Self { disk: Disk::new(top), repository: None, only, hash: gix::hash::Kind::Sha1 }
    }

    /// The same with ids of another hash.
    pub(super) fn hashed(self, hash: gix::hash::Kind) -> Self {
        Self { hash, ..self }
    }
}

/// The work tree of a repository as a source.
pub(super) fn work_tree(checkout: Checkout) -> Source {
    let Checkout { top, time, objects, entries, filesystem } = checkout;
    let base = Some(Base::new(&top));
    let repository = Some(Repository { is_sparse: entries.is_sparse(), objects, entries, filesystem });
    let store = Arc::new(Directory { disk: Disk::new(top), repository, only: None, hash: gix::hash::Kind::Sha1 });
    Source { origin: Origin::WorkTree, time, store, base, own: None, volumes: Vec::new() }
}

impl Store for Directory {
    fn top(&self) -> Spot {
        Spot::default()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(DirectoryReader { directory: self, ignores: None, left_out: None })
    }

    fn hash(&self) -> gix::hash::Kind {
        self.repository.as_ref().map_or(self.hash, |repository| repository.entries.state().object_hash())
    }
}

/// One thread's way into a directory.
struct DirectoryReader<'a> {
    directory: &'a Directory,
    /// Made when the first file is met that git does not track.
    ignores: Option<Ignores>,
    /// Made when the first thing is asked for that a sparse checkout leaves out.
    left_out: Option<LeftOut<'a>>,
}

impl<'a> DirectoryReader<'a> {
    fn disk(&self) -> &'a Disk {
        &self.directory.disk
    }

    /// The target of a link; `None` for anything else. Where the disk has no links git writes a file with the target.
    fn target(&self, path: &BString) -> Result<Option<Vec<u8>>, Error> {
        let failed = |error: io::Error| unreadable(path.clone(), &error);
        if self.disk().status(path.as_bstr()).map_err(failed)?.kind == disk::Kind::Link {
            return Ok(Some(self.disk().target(path.as_bstr()).map_err(failed)?.into()));
        }
        let Some(repository) = &self.directory.repository else { return Ok(None) };
        if repository.filesystem.has_links || repository.entries.mode(path.as_bstr(), false) != Some(Mode::Link) {
            return Ok(None);
        }
        let (file, _) = self.open(path)?;
        let mut target = Vec::new();
        file.take(PATH_BYTES as u64 + 1).read_to_end(&mut target).map_err(failed)?;
        Ok(Some(target))
    }

    /// Opens a regular file, and no other: what was a link or a pipe a moment later is not the file that was seen.
    fn open(&self, path: &BString) -> Result<(std::fs::File, Status), Error> {
        let (file, status) = self.disk().open(path.as_bstr()).map_err(|error| unreadable(path.clone(), &error))?;
        if status.kind == disk::Kind::File { Ok((file, status)) } else { Err(Error::Changed { path: path.clone() }) }
    }

    /// The way to what a sparse checkout leaves out of the disk; `None` where it leaves nothing out.
    fn left_out(&mut self) -> Option<&mut LeftOut<'a>> {
        let directory = self.directory;
        let repository = directory.repository.as_ref().filter(|repository| repository.is_sparse)?;
        Some(self.left_out.get_or_insert_with(|| LeftOut::new(&repository.objects, &repository.entries)))
    }

    /// The same, unless something stands at a path on the disk.
    fn left_out_at(&mut self, path: &BString) -> Option<&mut LeftOut<'a>> {
        let disk = self.disk();
        self.left_out().filter(|_| disk.status(path.as_bstr()).is_err_and(|error| is_gone(&error)))
    }

    /// The id that the index has for a path.
    fn known(&self, path: &BStr) -> Option<ObjectId> {
        self.directory.repository.as_ref().and_then(|repository| repository.entries.id(path))
    }

    /// The id of the blob that git would make of these bytes. What differs from the index by its line ends alone is what
    /// is in the index: a checkout on Windows changes no more.
    fn blob(&self, path: &BString, bytes: &[u8]) -> Result<ObjectId, Error> {
        let hash = self.directory.hash();
        if let Some(known) = self.known(path.as_bstr()).filter(|_| bytes.find(b"\r\n").is_some())
            && hash::blob(hash, &bytes.replace(b"\r\n", b"\n")) == Some(known)
        {
            return Ok(known);
        }
        hash::content(hash, path, bytes)
    }
}

impl Reader for DirectoryReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let path = directory.path.as_bstr();
        if self.directory.repository.is_some() {
            ignored::look(self.disk(), path)?;
        }
        let (listed, missing) = match self.disk().list(path) {
            Ok(listed) => (listed, None),
            Err(error) if is_gone(&error) => (Vec::new(), Some(unreadable(path.to_owned(), &error))),
            Err(error) => return Err(unreadable(path.to_owned(), &error)),
        };
        let mut children = Vec::new();
        for (name, status) in listed {
            children.extend(self.entry(path, name, status)?);
        }
        children.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(left_out) = self.left_out() {
            let left_out = left_out.children(directory, &children)?;
            children.extend(left_out);
            children.sort_by(|a, b| a.name.cmp(&b.name));
        }
        missing.filter(|_| children.is_empty()).map_or(Ok(children), Err)
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        if let Some(left_out) = self.left_out_at(&file.path)
            && let Some(content) = left_out.content(file.path.as_bstr(), limit)?
        {
            return Ok(content);
        }
        let bytes = match self.target(&file.path)? {
            Some(target) if target.len() as u64 > limit => {
                return Ok(Content::TooLarge { bytes: target.len() as u64 });
            }
            Some(target) => target,
            None => {
                let (open, status) = self.open(&file.path)?;
                let mut bytes = Vec::new();
                if status.bytes <= limit {
                    let read = open.take(limit.saturating_add(1)).read_to_end(&mut bytes);
                    read.map_err(|error| unreadable(file.path.clone(), &error))?;
                }
                let size = status.bytes.max(bytes.len() as u64);
                if size > limit {
                    return Ok(Content::TooLarge { bytes: size });
                }
                bytes
            }
        };
        let id = self.blob(&file.path, &bytes)?;
        Ok(Content::Bytes { bytes, id })
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        if let Some(left_out) = self.left_out_at(&file.path)
            && let Some(id) = left_out.id(file.path.as_bstr())?
        {
            return Ok(Some(id));
        }
        let hash = self.directory.hash();
        if let Some(target) = self.target(&file.path)? {
            return Ok(hash::blob(hash, &target));
        }
        if self.known(file.path.as_bstr()).is_some()
            && let Content::Bytes { id, .. } = self.content(file, OBJECT_BYTES)?
        {
            return Ok(Some(id));
        }
        let (mut open, status) = self.open(&file.path)?;
        if status.bytes > HASHED_BYTES {
            return Ok(None);
        }
        Ok(hash::stream(hash, &mut open, status.bytes))
    }
}

/// Whether nothing stands there.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn unreadable(path: BString, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        // A link stands where a directory or a file was.
        io::ErrorKind::NotADirectory => return Error::Changed { path },
        kind => kind.to_string(),
    };
    Error::Unreadable { path, reason }
}
