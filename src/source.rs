//! The only readers: a repository's index or tree, a work tree, a directory, standard input, memory.
//!
//! A source is opened once and resolved to object ids; whatever is asked of it later is asked of those. What differs
//! between the kinds of source is a [`store::Store`]; the walk, the links and the reading are written once.

mod error;
mod find;
mod hash;
mod locate;
mod memory;
mod read;
mod resolve;
mod store;
mod walk;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

pub use self::error::{BadObject, Damage, Error};
pub use self::memory::{Content, Entry};

use self::find::Finder;
use self::store::{Kind, Store};
use crate::front_matter::Bounds;
use crate::roots::RootSet;
use crate::skill::Parsed;
use crate::snapshot::{Body, File, Mode, Origin, Resolution, Role};

/// Which state of a repository is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// The index that git means: `GIT_INDEX_FILE`'s where it is set.
    Index,
    /// A commit, a tag or a tree, by any name that git resolves.
    Tree(String),
    /// The work tree.
    WorkTree,
}

/// What git's own variables say, collected by the caller: nothing here reads the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `GIT_DIR`.
    pub git_dir: Option<PathBuf>,
    /// `GIT_INDEX_FILE`.
    pub index_file: Option<PathBuf>,
    /// `GIT_OBJECT_DIRECTORY`: where a pre-receive hook finds the pushed objects.
    pub object_directory: Option<PathBuf>,
    /// `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
    pub alternates: Vec<PathBuf>,
    /// `GIT_CEILING_DIRECTORIES`.
    pub ceilings: Vec<PathBuf>,
}

/// The longest configuration file that is read (ours: 1 MiB).
const CONFIG_BYTES: u64 = 1 << 20;

/// Something that was opened to be read.
pub struct Source {
    origin: Origin,
    time: Option<i64>,
    store: Box<dyn Store>,
}

/// Files that were never on a disk.
pub fn memory(origin: Origin, entries: Vec<Entry>) -> Source {
    Source { origin, time: None, store: Box::new(memory::Memory::new(entries)) }
}

impl Source {
    /// What was opened.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The committer time of what is judged, in seconds since 1970: the commit's, or `HEAD`'s for index and work tree.
    /// `None` where nothing was committed.
    pub fn time(&self) -> Option<i64> {
        self.time
    }

    /// A configuration file, with its text when it is a regular file of at most 1 MiB. What else stands there is
    /// returned by its kind; no link is followed.
    ///
    /// # Errors
    /// When it, or a directory above it, cannot be read.
    pub fn file(&self, path: &BStr) -> Result<Option<File>, Error> {
        let Some((spot, entry)) = Finder::new(&*self.store).at(path)? else { return Ok(None) };
        let mut reader = self.store.reader();
        let mut id = entry.id;
        let mut read = |limit| match reader.content(&spot, limit) {
            Ok(store::Content::Bytes { bytes, id: read }) => {
                id = Some(read);
                Ok(Body::Text(bytes))
            }
            Ok(store::Content::TooLarge { bytes }) => Ok(Body::TooLarge { bytes }),
            Err(error) => Err(error),
        };
        let (mode, body) = match entry.kind {
            Kind::Known(mode @ (Mode::File | Mode::Executable)) => (mode, read(CONFIG_BYTES)?),
            Kind::Known(Mode::Link) => {
                let link = Finder::new(&*self.store).follow(&spot)?;
                (Mode::Link, Body::Symlink { target: link.target, resolution: link.resolution })
            }
            Kind::Known(Mode::Submodule) => (Mode::Submodule, Body::Submodule),
            Kind::Known(Mode::Directory) => (Mode::Directory, Body::Directory),
            Kind::Unmerged => (Mode::File, Body::Unmerged),
            Kind::Special => return Ok(None),
        };
        Ok(Some(File { id, mode, state: entry.state, ..File::new(path, Role::Config, None, body) }))
    }

    /// Finds the roots, lists what lies below them, and reads, checks and parses every skill in parallel.
    ///
    /// # Errors
    /// When anything of it cannot be read, or is more than the limits of the roots allow: what was not proven clean
    /// must not look clean.
    pub fn read(&self, roots: &RootSet, bounds: Bounds) -> Result<Parsed, Error> {
        let mut walked = walk::walk(&*self.store, roots)?;
        let skills = read::skills(&*self.store, &mut walked, roots.file_bytes, bounds)?;
        let walk::Walked { roots, files } = walked;
        Ok(Parsed { origin: self.origin.clone(), time: self.time, roots, files, skills })
    }

    /// Whether something stands at these paths, links followed as a reader of the checkout would.
    ///
    /// # Errors
    /// When a directory on the way cannot be read.
    pub fn exists(&self, wanted: &[BString]) -> Result<Vec<bool>, Error> {
        let mut finder = Finder::new(&*self.store);
        let mut exists = |path: &BString| {
            Ok(match finder.resolve(b"".as_bstr(), path.as_bstr())? {
                Resolution::File(_) | Resolution::Directory(_) => true,
                _ => finder.at(path.as_bstr())?.is_some(),
            })
        };
        wanted.iter().map(&mut exists).collect()
    }

    /// The bytes of files that were read before, again: the same bytes or an error.
    ///
    /// # Errors
    /// When one of them cannot be read any more, or is another one now.
    pub fn bodies(&self, files: &[File]) -> Result<Vec<Vec<u8>>, Error> {
        read::bodies(&*self.store, files)
    }
}

/// A path of the tree as a path of the operating system: the same bytes where that is possible.
fn os_path(path: &BStr) -> Cow<'_, Path> {
    path.to_path().map_or_else(|_| Cow::Owned(PathBuf::from(path.to_str_lossy().into_owned())), Cow::Borrowed)
}
