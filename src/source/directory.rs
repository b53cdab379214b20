//! Directories of the disk: the work tree of a repository, or a directory that lies in none. Nothing is followed and
//! nothing is opened that is not a regular file.
#![allow(clippy::disallowed_methods, reason = "this reads the work tree")]

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::base::Base;
use super::git::{Checkout, Entries, IGNORE_BYTES, Objects};
use super::store::{Content, Entry, Kind, Reader, Spot, Store};
use super::{Error, Source, hash, os_path, store};
use crate::snapshot::{Mode, ObjectId, Origin, State};

/// A directory of the disk, and the repository whose work tree it is.
pub(super) struct Directory {
    top: PathBuf,
    repository: Option<(Objects, Entries)>,
    /// A directory of which one entry alone is listed.
    only: Option<(BString, BString)>,
}

impl Directory {
    /// A directory in no repository. With `only`, a directory and a name, nothing else is listed in that directory.
    pub(super) fn plain(top: PathBuf, only: Option<(BString, BString)>) -> Self {
        Self { top, repository: None, only }
    }
}

/// The work tree of a repository as a source.
pub(super) fn work_tree(checkout: Checkout) -> Source {
    let Checkout { top, time, objects, entries } = checkout;
    let base = Some(Base::new(&top));
    let store = Arc::new(Directory { top, repository: Some((objects, entries)), only: None });
    Source { origin: Origin::WorkTree, time, store, base, own: None }
}

impl Store for Directory {
    fn top(&self) -> Spot {
        Spot::default()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(DirectoryReader { directory: self, ignores: None })
    }

    fn hash(&self) -> gix::hash::Kind {
        self.repository.as_ref().map_or(gix::hash::Kind::Sha1, |(_, entries)| entries.state().object_hash())
    }
}

/// One thread's way into a directory.
struct DirectoryReader<'a> {
    directory: &'a Directory,
    /// The ignore files met so far; made when the first file is met that git does not track.
    ignores: Option<(gix::Repository, gix::worktree::Stack)>,
}

impl DirectoryReader<'_> {
    fn os_path(&self, path: &BStr) -> PathBuf {
        self.directory.top.join(os_path(path))
    }

    fn entry(&mut self, directory: &BStr, entry: &fs::DirEntry) -> Result<Option<Entry>, Error> {
        let Ok(name) = gix::path::os_string_into_bstring(entry.file_name()) else { return Ok(None) };
        if name.eq_ignore_ascii_case(b".git") {
            return Ok(None);
        }
        let path = store::join(directory, name.as_bstr());
        if let Some((parent, only)) = &self.directory.only
            && *parent == directory
            && *only != name
        {
            return Ok(None);
        }
        let metadata = match entry.metadata() {
            Ok(metadata) => metadata,
            // What vanished since the directory was listed is not there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(path, &error)),
        };
        let known = self.directory.repository.as_ref().and_then(|(_, entries)| entries.mode(path.as_bstr()));
        let kind = match kind(&metadata, known) {
            Kind::Known(Mode::Directory) if known == Some(Mode::Submodule) => Kind::Known(Mode::Submodule),
            kind => kind,
        };
        let state = match (known, kind) {
            (None, Kind::Known(Mode::File | Mode::Executable | Mode::Link)) => self.untracked(path.as_bstr())?,
            _ => State::Tracked,
        };
        Ok(Some(Entry { name, kind, id: None, state }))
    }

    /// Refuses a `.gitignore` that is a pipe, a device or larger than anybody writes it: whoever asks what is ignored reads
    /// it, and would wait for ever. It is looked at before its directory is listed, because any file of the listing may be the first to ask.
    fn refuse_odd_ignores(&self, directory: &BStr) -> Result<(), Error> {
        let path = store::join(directory, b".gitignore".as_bstr());
        match self.os_path(path.as_bstr()).symlink_metadata() {
            Ok(metadata) if kind(&metadata, None) == Kind::Special => {
                Err(Error::Unreadable { path, reason: "it is not a regular file".to_owned() })
            }
            Ok(metadata) if metadata.is_file() && metadata.len() > IGNORE_BYTES => {
                Err(Error::Unreadable { path, reason: "it is longer than 1 MiB".to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Whether a file that git does not track is ignored or only not yet added.
    fn untracked(&mut self, path: &BStr) -> Result<State, Error> {
        let Some((objects, entries)) = &self.directory.repository else { return Ok(State::Tracked) };
        let bad = || Error::Unreadable { path: path.to_owned(), reason: "its ignore files cannot be read".to_owned() };
        if self.ignores.is_none() {
            let repository = objects.repository.to_thread_local();
            let source = gix::worktree::stack::state::ignore::Source::default();
            let stack = repository.excludes(entries.state(), None, source).map_err(|_| bad())?.detach();
            self.ignores = Some((repository, stack));
        }
        let Some((repository, stack)) = &mut self.ignores else { return Ok(State::Untracked) };
        let mode = Some(gix::index::entry::Mode::FILE);
        let platform = stack.at_path(path, mode, &repository.objects).map_err(|_| bad())?;
        Ok(if platform.is_excluded() { State::Ignored } else { State::Untracked })
    }

    /// The target of a link; `None` for anything else.
    fn link(&self, path: &BString) -> Result<Option<Vec<u8>>, Error> {
        let os_path = self.os_path(path.as_bstr());
        let failed = |error: io::Error| unreadable(path.clone(), &error);
        if !os_path.symlink_metadata().map_err(failed)?.is_symlink() {
            return Ok(None);
        }
        let target = fs::read_link(&os_path).map_err(failed)?;
        let target = gix::path::into_bstr(target).map_err(|_| Error::Changed { path: path.clone() })?;
        Ok(Some(gix::path::to_unix_separators_on_windows(target).into_owned().into()))
    }

    /// Opens a regular file, and no other: what was a link or a pipe a moment later is not the file that was seen.
    fn open(&self, path: &BString) -> Result<(fs::File, Metadata), Error> {
        let os_path = self.os_path(path.as_bstr());
        let failed = |error: io::Error| unreadable(path.clone(), &error);
        let seen = os_path.symlink_metadata().map_err(failed)?;
        if !seen.is_file() {
            return Err(Error::Changed { path: path.clone() });
        }
        let file = fs::File::open(&os_path).map_err(failed)?;
        let opened = file.metadata().map_err(failed)?;
        if is_same(&seen, &opened) { Ok((file, opened)) } else { Err(Error::Changed { path: path.clone() }) }
    }
}

impl Reader for DirectoryReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let path = directory.path.as_bstr();
        let failed = |error: io::Error| unreadable(path.to_owned(), &error);
        let mut children = Vec::new();
        if self.directory.repository.is_some() {
            self.refuse_odd_ignores(path)?;
        }
        for entry in fs::read_dir(self.os_path(path)).map_err(failed)? {
            children.extend(self.entry(path, &entry.map_err(failed)?)?);
        }
        children.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(children)
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        let failed = |error: io::Error| unreadable(file.path.clone(), &error);
        let bytes = match self.link(&file.path)? {
            Some(target) => target,
            None => {
                let (open, metadata) = self.open(&file.path)?;
                let mut bytes = Vec::new();
                if metadata.len() <= limit {
                    open.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
                }
                let size = metadata.len().max(bytes.len() as u64);
                if size > limit {
                    return Ok(Content::TooLarge { bytes: size });
                }
                bytes
            }
        };
        let id = hash::content(self.directory.hash(), &file.path, &bytes)?;
        Ok(Content::Bytes { bytes, id })
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        let hash = self.directory.hash();
        if let Some(target) = self.link(&file.path)? {
            return Ok(hash::blob(hash, &target));
        }
        let (mut open, metadata) = self.open(&file.path)?;
        Ok(hash::stream(hash, &mut open, metadata.len()))
    }
}

fn kind(metadata: &Metadata, known: Option<Mode>) -> Kind {
    let kind = metadata.file_type();
    if kind.is_dir() {
        Kind::Known(Mode::Directory)
    } else if kind.is_symlink() {
        Kind::Known(Mode::Link)
    } else if !kind.is_file() {
        Kind::Special
    } else if is_executable(metadata, known) {
        Kind::Known(Mode::Executable)
    } else {
        Kind::Known(Mode::File)
    }
}

/// Whether the owner may run a file: the bit that git records.
#[cfg(unix)]
fn is_executable(metadata: &Metadata, _known: Option<Mode>) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

/// Whether git recorded the executable bit, which this system does not have.
#[cfg(not(unix))]
fn is_executable(_metadata: &Metadata, known: Option<Mode>) -> bool {
    known == Some(Mode::Executable)
}

#[cfg(unix)]
fn is_same(seen: &Metadata, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (seen.dev(), seen.ino()) == (opened.dev(), opened.ino())
}

#[cfg(not(unix))]
fn is_same(_seen: &Metadata, opened: &Metadata) -> bool {
    opened.is_file()
}

fn unreadable(path: BString, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        kind => kind.to_string(),
    };
    Error::Unreadable { path, reason }
}
