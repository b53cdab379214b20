//! The only readers: a repository's index or tree, a work tree, a directory, standard input, memory.
//!
//! A source is opened once and resolved to object ids; whatever is asked of it later is asked of those. What differs
//! between the kinds of source is a [`store::Store`]; the walk, the links and the reading are written once.

mod base;
mod budget;
mod directory;
mod environment;
mod error;
mod expand;
mod find;
mod git;
mod hash;
mod locate;
mod memory;
mod near;
mod overlay;
mod presence;
mod progress;
mod read;
mod records;
mod resolve;
mod scope;
mod starter;
mod store;
mod temporary;
mod trees;
mod twins;
mod volume;
mod walk;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

pub use self::environment::Environment;
pub use self::error::{BadObject, Damage, Error};
pub use self::git::Hooks;
pub use self::memory::{Content, Entry};
pub use self::progress::Progress;
pub use self::records::KNOWLEDGE_BYTES;
pub use self::starter::Starter;
pub use self::temporary::Temporaries;
pub use self::volume::{Unread, Volume};

use self::base::Base;
use self::find::Finder;
use self::overlay::Overlay;
use self::store::{Kind, Store};
use self::volume::{Mounted, Volumes};
use crate::front_matter::Bounds;
use crate::records::Records;
use crate::roots::RootSet;
use crate::skill::Parsed;
use crate::snapshot::{Body, File, Mode, ObjectId, Origin, Presence, Role};

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

/// The longest configuration file that is read (ours: 1 MiB).
pub const CONFIG_BYTES: u64 = 1 << 20;

/// Something that was opened to be read.
pub struct Source {
    origin: Origin,
    time: Option<i64>,
    store: Arc<dyn Store>,
    base: Option<Base>,
    /// The directory that is the root, where a directory or one file was named instead of a repository.
    own: Option<String>,
    /// Directories that are read beside it, in the order of their roots.
    volumes: Vec<Arc<Mounted>>,
}

/// Opens what a revision means in the repository that a place lies in.
///
/// # Errors
/// When there is no repository, it belongs to somebody else, or the revision names nothing that can be read.
pub fn open(place: &Path, revision: &Revision, environment: &Environment) -> Result<Source, Error> {
    match revision {
        Revision::WorkTree => Ok(directory::work_tree(git::checkout(place, environment)?)),
        Revision::Index => git::index(place, environment),
        Revision::Tree(name) => git::tree(place, name, environment),
    }
}

/// Opens what a source is compared with: the merge base of a revision and the commit of the source, which for an index
/// and a work tree is `HEAD`; the revision itself where there is no merge base to know.
///
/// # Errors
/// When the revision names nothing that can be read. Where it may be what a shallow clone left out, the error is
/// [`Error::Shallow`].
pub fn open_base(place: &Path, revision: &str, head: &Source, environment: &Environment) -> Result<Source, Error> {
    git::open_base(place, revision, &head.origin, environment)
}

/// Where git looks for the hooks of the repository that a place lies in.
///
/// # Errors
/// When there is no repository, or it cannot be opened.
pub fn hooks(place: &Path, environment: &Environment) -> Result<Hooks, Error> {
    git::hooks(place, environment)
}

/// Whether the work tree that a place lies in was ever checked out: `clone --no-checkout` leaves commits without an index.
pub fn is_checked_out(place: &Path, environment: &Environment) -> bool {
    git::is_checked_out(place, environment)
}

/// Opens a directory that lies in no repository: one that has roots as a repository has them, one that is a root
/// itself, or the directory of one skill. `named` is relative to `from`.
///
/// # Errors
/// When there is no such directory.
pub fn directory(from: &Path, named: &Path) -> Result<Source, Error> {
    scope::directory(from, named)
}

/// Opens a directory that lies in no repository as if it were the top of one, whatever is in it.
pub fn top(place: &Path) -> Source {
    scope::top(place)
}

/// One SKILL.md that came without a path.
pub fn standard_input(text: Vec<u8>) -> Source {
    scope::standard_input(text)
}

/// Files that were never on a disk.
pub fn memory(origin: Origin, entries: Vec<Entry>) -> Source {
    Source {
        origin,
        time: None,
        store: Arc::new(memory::Memory::new(entries)),
        base: None,
        own: None,
        volumes: Vec::new(),
    }
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

    /// Whether what was named is a root, or one skill, and not a repository or a directory laid out like one.
    pub fn is_root(&self) -> bool {
        self.own.is_some()
    }

    /// The same source with other bytes in some of its files, by their paths: what would be read if they were written.
    pub fn with(&self, texts: BTreeMap<BString, Vec<u8>>) -> Self {
        Self {
            origin: self.origin.clone(),
            time: self.time,
            store: Arc::new(Overlay::new(Arc::clone(&self.store), texts)),
            base: self.base.clone(),
            own: self.own.clone(),
            volumes: self.volumes.clone(),
        }
    }

    /// The same source with directories read beside it, whose roots come behind its own in their order. Of a directory
    /// that is not there nothing is said; what cannot be read is told and left out. The walk goes as deep and as far as
    /// that of the other roots.
    pub fn beside(self, volumes: &[Volume], roots: &RootSet) -> (Self, Vec<Unread>) {
        let mut unread = Vec::new();
        let mount = |volume| Mounted::new(volume, roots, self.store.hash(), &mut unread);
        let volumes = volumes.iter().filter_map(mount).collect();
        (Self { volumes, ..self }, unread)
    }

    /// The store with what is read beside it.
    fn whole(&self) -> Arc<dyn Store> {
        match self.volumes.is_empty() {
            true => Arc::clone(&self.store),
            false => Arc::new(Volumes::new(Arc::clone(&self.store), self.volumes.clone())),
        }
    }

    /// The top of the work tree that the source lies in, whatever of it is read; `None` where there is none.
    pub fn top(&self) -> Option<&Path> {
        self.base.as_ref().map(Base::real)
    }

    /// The directory of the disk that paths of the source begin at; `None` where its files are not read from the disk.
    pub fn directory(&self) -> Option<&Path> {
        matches!(self.origin, Origin::WorkTree | Origin::Directory)
            .then(|| self.base.as_ref().map(Base::real))
            .flatten()
    }

    /// A configuration file, with its text when it is a regular file of at most 1 MiB. What else stands there is
    /// returned by its kind; no link is followed. A directory that is a root itself, or one skill, has none.
    ///
    /// # Errors
    /// When it, or a directory above it, cannot be read.
    pub fn file(&self, path: &BStr) -> Result<Option<File>, Error> {
        self.file_within(path, CONFIG_BYTES)
    }

    /// The same, of at most so many bytes.
    fn file_within(&self, path: &BStr, most: u64) -> Result<Option<File>, Error> {
        if self.is_root() {
            return Ok(None);
        }
        let Some((spot, entry)) = Finder::new(&*self.store).at(path)? else { return Ok(None) };
        let mut reader = self.store.reader();
        let mut id = entry.id;
        let (mode, body) = match entry.kind {
            Kind::Known(mode @ (Mode::File | Mode::Executable)) => match reader.content(&spot, most)? {
                store::Content::Bytes { bytes, id: read } => {
                    id = Some(read);
                    (mode, Body::Text(bytes))
                }
                store::Content::TooLarge { bytes } => (mode, Body::TooLarge { bytes }),
            },
            Kind::Known(Mode::Link) => {
                let link = Finder::new(&*self.store).follow(&spot)?;
                (Mode::Link, Body::Symlink { target: link.target, resolution: link.resolution })
            }
            Kind::Known(Mode::Submodule) => (Mode::Submodule, Body::Submodule),
            Kind::Known(Mode::Directory) => (Mode::Directory, Body::Directory),
            Kind::Unmerged => (Mode::File, Body::Unmerged),
            Kind::Special => (Mode::File, Body::Special),
        };
        Ok(Some(File { id, mode, state: entry.state, ..File::new(path, Role::Config, None, body) }))
    }

    /// Finds the roots, lists what lies below them, and reads, checks and parses every skill in parallel.
    ///
    /// # Errors
    /// When anything of it cannot be read, or is more than the limits of the roots allow: what was not proven clean
    /// must not look clean.
    pub fn read(&self, roots: &RootSet, bounds: Bounds) -> Result<Parsed, Error> {
        self.read_counted(roots, bounds, &Progress::default())
    }

    /// The same, counted for whoever waits.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_counted(&self, roots: &RootSet, bounds: Bounds, progress: &Progress) -> Result<Parsed, Error> {
        let own = self.own.as_deref().map(|own| scope::roots(own, roots));
        let roots = own.as_ref().unwrap_or(roots);
        let store = self.whole();
        let mut walked = volume::beside(walk::walk(&*self.store, roots, progress.starter())?, &self.volumes)?;
        let mut skills = read::skills(&*store, &mut walked, roots.file_bytes, bounds, progress)?;
        if self.origin == Origin::StandardInput {
            scope::forget_directories(&mut skills);
        }
        read::mark_flat(&*store, &mut walked, roots.file_bytes, bounds)?;
        let walk::Walked { roots, mut files } = walked;
        let records = records::read(self, &mut files)?;
        Ok(Parsed { origin: self.origin.clone(), time: self.time, roots, files, skills, records })
    }

    /// What agents wrote down beside the skills, without the skills.
    ///
    /// # Errors
    /// When a file of it cannot be read.
    pub fn records(&self) -> Result<Records, Error> {
        records::read(self, &mut Vec::new())
    }

    /// What stands at these paths, links followed as a reader of the checkout would. Nothing is opened; where a directory on
    /// the way cannot be read, nobody can tell.
    pub fn presence(&self, wanted: &[BString]) -> Vec<Presence> {
        presence::of(&*self.whole(), wanted)
    }

    /// The bytes of files that were read before, again: the same bytes or an error.
    ///
    /// # Errors
    /// When one of them cannot be read any more, or is another one now.
    pub fn bodies(&self, files: &[File]) -> Result<Vec<Vec<u8>>, Error> {
        read::bodies(&*self.whole(), files)
    }

    /// The id of the tree of each root, in their order: what `git rev-parse REVISION:ROOT` says of a revision, and
    /// what `git write-tree` would make of an index or a work tree, ignored files left out. `None` for a root that is
    /// not there, or holds conflict stages.
    ///
    /// # Errors
    /// When a file whose id is not known yet cannot be read.
    pub fn trees(&self, parsed: &Parsed) -> Result<Vec<Option<ObjectId>>, Error> {
        trees::trees(&*self.whole(), parsed)
    }

    /// The path from the top that a path of the disk means; `None` when it lies outside.
    pub fn repository_path(&self, path: &Path) -> Option<BString> {
        self.base.as_ref()?.below(path)
    }
}

/// A path of the tree as a path of the operating system: the same bytes where that is possible.
fn os_path(path: &BStr) -> Cow<'_, Path> {
    path.to_path().map_or_else(|_| Cow::Owned(PathBuf::from(path.to_str_lossy().into_owned())), Cow::Borrowed)
}
