//! Directories in the file system: the working tree of a repository, or a directory outside one. Links are not
//! followed, and only regular files are opened.

mod disk;
mod ignored;
mod listing;

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_skills::roots;
use skilltree_skills::snapshot::{Mode, ObjectId, Origin, State};
use skilltree_skills::source::store::{self, Content, Entry, IgnoredBy, Reader, Spot, Store};
use skilltree_skills::source::{self, Error, HashKind, OBJECT_BYTES, PATH_BYTES, Source};

use self::disk::{Disk, Status};
use self::ignored::Ignores;
use crate::base::Base;
use crate::git::{Checkout, Entries, Filesystem, Objects, Omitted};
use crate::hash;

/// Maximum bytes of a file that is hashed only to compute a tree id (ours: 256 MiB, half a second): a sparse file can
/// have any length.
const HASHED_BYTES: u64 = 256 << 20;

/// Maximum number of unreadable ignore files that a warning names.
const SHOWN: usize = 3;

/// A directory, and the repository if it is a working tree.
pub(crate) struct Directory {
    disk: Disk,
    repository: Option<Repository>,
    /// A directory and the only name listed in it.
    only: Option<(BString, BString)>,
    /// The hash function of ids outside a repository.
    hash: HashKind,
    /// The ignore files that could not be read.
    unread_ignores: Mutex<BTreeSet<BString>>,
}

/// The git state of a working tree.
struct Repository {
    objects: Objects,
    entries: Entries,
    filesystem: Filesystem,
    /// Whether a sparse checkout omits entries.
    is_sparse: bool,
}

impl Directory {
    /// Creates a directory outside any repository. `only` is a directory and the only name listed in it.
    pub(crate) fn plain(top: PathBuf, only: Option<(BString, BString)>) -> Self {
        Self { disk: Disk::new(top), repository: None, only, hash: HashKind::Sha1, unread_ignores: Mutex::default() }
    }

    /// Reads the links to directories that are directly below `name` as if they were directories, if they stay in `within`.
    pub(crate) fn linked(self, directory: &Path, name: &str, within: Option<&Path>) -> Self {
        let linked = disk::Linked::in_directory(directory, name.into(), within);
        Self { disk: self.disk.linked(linked), ..self }
    }

    /// Notes ignore files that a reader could not read.
    fn note_unread(&self, unread: &BTreeSet<BString>) {
        if !unread.is_empty() {
            let mut known = self.unread_ignores.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(unread.iter().cloned());
        }
    }

    /// Sets the hash function of ids.
    pub(crate) fn hashed(self, hash: HashKind) -> Self {
        Self { hash, ..self }
    }
}

/// Opens the working tree of a repository as a source.
pub(crate) fn work_tree(checkout: Checkout) -> Source {
    let Checkout { top, time, objects, entries, filesystem } = checkout;
    let base = Arc::new(Base::new(&top));
    let repository = Some(Repository { is_sparse: entries.is_sparse(), objects, entries, filesystem });
    let store = Arc::new(Directory { repository, ..Directory::plain(top, None) });
    Source::new(Origin::WorkTree, time, store, Some(base))
}

impl Store for Directory {
    fn top(&self) -> Spot {
        Spot::default()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(DirectoryReader { directory: self, ignores: None, omitted: None })
    }

    fn holds(&self, path: &BStr, id: ObjectId) -> bool {
        self.repository.as_ref().is_some_and(|repository| repository.entries.id(path) == Some(id))
    }

    fn warning(&self) -> Option<String> {
        let unread = self.unread_ignores.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = unread.iter().take(SHOWN).map(|path| format!("`{}`", text::lossless(path.as_bstr())));
        let mut shown: Vec<String> = shown.collect();
        let it = if unread.len() == 1 { "it ignores" } else { "they ignore" };
        if let Some(more @ 1..) = unread.len().checked_sub(shown.len()) {
            shown.push(format!("{} more ignore files", text::grouped(more)));
        }
        let files = text::joined(&shown);
        (!shown.is_empty()).then(|| format!("{files} cannot be read: files that only {it} are read"))
    }

    fn hash(&self) -> HashKind {
        self.repository.as_ref().map_or(self.hash, |repository| hash::kind(repository.entries.state().object_hash()))
    }
}

/// A reader of a [`Directory`].
struct DirectoryReader<'a> {
    directory: &'a Directory,
    /// Created for the first untracked file.
    ignores: Option<Ignores<'a>>,
    /// Created for the first lookup of an entry that a sparse checkout omits.
    omitted: Option<Omitted<'a>>,
}

/// What a path with content is.
enum Found {
    File(std::fs::File, Status),
    /// A link, with its target.
    Target(Vec<u8>),
}

impl<'a> DirectoryReader<'a> {
    fn disk(&self) -> &'a Disk {
        &self.directory.disk
    }

    /// Rejects a directory of a repository whose ignore file cannot be read.
    fn validate(&self, directory: &BStr, listed: &[(BString, Status)]) -> Result<(), Error> {
        let repository = self.directory.repository.as_ref();
        repository.map_or(Ok(()), |_| ignored::validate(self.disk(), directory, listed))
    }

    /// Returns the target of a link; `None` for anything else. On a file system without links, git writes a file with
    /// the target.
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

    /// Opens a regular file, or returns the target of a link.
    fn file_or_target(&self, path: &BString) -> Result<Found, Error> {
        let has_links = self.directory.repository.as_ref().is_none_or(|repository| repository.filesystem.has_links);
        // Most paths are files: only for the others it is asked what they are.
        if has_links && let Some((file, status)) = self.disk().file(path.as_bstr()) {
            return Ok(Found::File(file, status));
        }
        Ok(match self.target(path)? {
            Some(target) => Found::Target(target),
            None => self.open(path).map(|(file, status)| Found::File(file, status))?,
        })
    }

    /// Opens a regular file, and nothing else: the entry may have been replaced by a link or a pipe since it was
    /// listed.
    fn open(&self, path: &BString) -> Result<(std::fs::File, Status), Error> {
        let (file, status) = self.disk().open(path.as_bstr()).map_err(|error| unreadable(path.clone(), &error))?;
        if status.kind == disk::Kind::File { Ok((file, status)) } else { Err(Error::Changed { path: path.clone() }) }
    }

    /// Returns the reader of entries that a sparse checkout omits; `None` if it omits none.
    fn omitted(&mut self) -> Option<&mut Omitted<'a>> {
        let directory = self.directory;
        let repository = directory.repository.as_ref().filter(|repository| repository.is_sparse)?;
        Some(self.omitted.get_or_insert_with(|| Omitted::new(&repository.objects, &repository.entries)))
    }

    /// Adds the entries of a directory that a sparse checkout omits, and sorts all by name.
    fn with_omitted(&mut self, directory: &Spot, mut children: Vec<Entry>) -> Result<Vec<Entry>, Error> {
        children.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(omitted) = self.omitted() {
            let omitted = omitted.children(directory, &children)?;
            children.extend(omitted);
            children.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Ok(children)
    }

    /// Returns the same reader if the path does not exist in the file system.
    fn omitted_at(&mut self, path: &BString) -> Option<&mut Omitted<'a>> {
        let disk = self.disk();
        self.omitted().filter(|_| disk.status(path.as_bstr()).is_err_and(|error| is_gone(&error)))
    }

    /// Returns the index's id for a path.
    fn known(&self, path: &BStr) -> Option<ObjectId> {
        self.directory.repository.as_ref().and_then(|repository| repository.entries.id(path))
    }

    /// Returns the id of the blob that git would store for these bytes. If only line endings differ from the index, it
    /// is the index's id: a checkout on Windows may convert them.
    fn blob(&self, path: &BString, bytes: &[u8]) -> Result<ObjectId, Error> {
        let hash = self.directory.hash();
        if let Some(known) = self.known(path.as_bstr()).filter(|_| bytes.find(b"\r\n").is_some())
            && source::blob(hash, &bytes.replace(b"\r\n", b"\n")) == Some(known)
        {
            return Ok(known);
        }
        source::content(hash, path, bytes)
    }
}

impl Reader for DirectoryReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let path = directory.path.as_bstr();
        let (listed, missing) = match self.disk().list(path) {
            Ok(listed) => (listed, None),
            Err(error) if is_gone(&error) => (Vec::new(), Some(unreadable(path.to_owned(), &error))),
            Err(error) => return Err(unreadable(path.to_owned(), &error)),
        };
        self.validate(path, &listed)?;
        let mut children = Vec::new();
        for (name, status) in listed {
            children.extend(self.entry(path, name, status)?);
        }
        let children = self.with_omitted(directory, children)?;
        missing.filter(|_| children.is_empty()).map_or(Ok(children), Err)
    }

    fn outline(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let path = directory.path.as_bstr();
        let listed = match self.disk().kinds(path) {
            Ok(listed) => listed,
            Err(error) if !is_gone(&error) && self.is_tracked(path) => return Err(unreadable(path.to_owned(), &error)),
            // No runtime can load what cannot be read.
            Err(_) => Vec::new(),
        };
        self.validate(path, &listed)?;
        let mut children = Vec::new();
        for (name, status) in listed {
            let leads = match status.kind {
                // In a repository, the entry says so.
                disk::Kind::Directory => {
                    self.directory.repository.is_some()
                        || !self.is_repository(store::join(path, name.as_bstr()).as_bstr())
                }
                disk::Kind::Link => true,
                disk::Kind::File => {
                    let path = store::join(path, name.as_bstr());
                    let is_manifest = || roots::manifest(path.as_bstr()).is_some();
                    roots::is_skill_file(name.as_bstr()) || is_manifest() || roots::is_unread_settings(path.as_bstr())
                }
                disk::Kind::Special => false,
            };
            if leads
                && let Some(entry) = self.entry(path, name, status)?
                && !self.is_ignored(path, &entry)?
            {
                children.push(entry);
            }
        }
        self.with_omitted(directory, children)
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        if let Some(omitted) = self.omitted_at(&file.path)
            && let Some(content) = omitted.content(file.path.as_bstr(), limit)?
        {
            return Ok(content);
        }
        let bytes = match self.file_or_target(&file.path)? {
            Found::Target(target) if target.len() as u64 > limit => {
                return Ok(Content::TooLarge { bytes: target.len() as u64 });
            }
            Found::Target(target) => target,
            Found::File(open, status) => {
                let mut bytes = Vec::new();
                if status.bytes <= limit {
                    // Otherwise the reads begin with 32 bytes and double. One byte more is for the end of the file.
                    let _ = bytes.try_reserve_exact(status.bytes as usize + 1);
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

    fn ignored_by(&mut self, path: &BStr, is_directory: bool) -> Option<IgnoredBy> {
        if self.untracked(path, is_directory).ok()? != State::Ignored {
            return None;
        }
        self.ignores.as_mut()?.pattern(path, is_directory)
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        if let Some(omitted) = self.omitted_at(&file.path)
            && let Some(id) = omitted.id(file.path.as_bstr())?
        {
            return Ok(Some(id));
        }
        let hash = self.directory.hash();
        if let Some(target) = self.target(&file.path)? {
            return Ok(source::blob(hash, &target));
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

/// Returns whether the error means that the path does not exist.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn unreadable(path: BString, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        // A link replaced a directory or a file.
        io::ErrorKind::NotADirectory => return Error::Changed { path },
        // The kind of some errors has no name, such as that of too many open files.
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    };
    Error::Unreadable { path, reason }
}
