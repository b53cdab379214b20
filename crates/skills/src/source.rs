//! Reading skills from a store: the walk, the links and the parsing, written once for every kind of store.
//!
//! A store lists directories and reads files; it is an index, a tree, a working tree, a directory or memory. The stores that
//! need git or files are in the crate `skilltree-git`; only [`memory`] is here.

mod absent;
mod agent_files;
mod agents;
mod anchors;
mod budget;
mod cached;
mod commands;
mod configuration;
mod discover;
mod error;
mod excluded;
mod expand;
mod find;
mod hash;
mod ignored;
mod known;
mod lists;
mod locked;
mod locate;
mod manifests;
mod memory;
mod memory_limit;
mod misnamed;
mod near;
mod nested;
mod overlay;
mod pages;
mod presence;
mod progress;
mod read;
mod records;
mod references;
mod resolve;
mod scope;
mod scripts;
mod sizes;
mod state;
pub mod store;
mod tolerant;
mod touched;
mod trees;
mod twins;
mod unnamed;
mod unreferenced;
mod volume;
mod walk;
mod whole;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

pub use self::error::{BadObject, Damage, Error};
pub use self::expand::is_skipped;
pub use self::find::PATH_BYTES;
pub use self::hash::{HashKind, ObjectHasher, blob, content};
pub use self::memory::{Content, Entry};
pub use self::pages::PAGES;
pub use self::progress::Progress;
pub use self::records::KNOWLEDGE_BYTES;
pub use self::scope::standard_input;
pub use self::state::State as RootsState;
pub use self::touched::Difference;
pub use self::volume::{Mount, Mounted};
pub use crate::snapshot::Unread;

use self::cached::Cached;
use self::find::Finder;
use self::overlay::Overlay;
use self::store::{Spot, Store};
use self::volume::Volumes;
use crate::roots::{Root, RootSet};
use crate::skill::Parsed;
use crate::skill::anchors::Anchors;
use crate::snapshot::{File, ObjectId, Origin, Presence, Role};

/// Maximum size of a configuration file (ours: 1 MiB).
pub const CONFIG_BYTES: u64 = 1 << 20;

/// Maximum size of an object, whatever the limits of a repository are (ours: 16 MiB): a few bytes of a pack can
/// decompress to gigabytes.
pub const OBJECT_BYTES: u64 = 16 << 20;

/// The directory of a source in the file system.
pub trait Location: Send + Sync {
    /// Returns the directory that paths are relative to, with links resolved.
    fn directory(&self) -> &Path;

    /// Returns a file system path relative to this directory; `None` if it is outside.
    fn below(&self, path: &Path) -> Option<BString>;
}

/// An opened index, tree, directory or text. A clone reads the same state.
#[derive(Clone)]
pub struct Source {
    origin: Origin,
    time: Option<i64>,
    store: Arc<dyn Store>,
    location: Option<Arc<dyn Location>>,
    /// The path of the skills directory, if it, or one skill, was opened instead of a repository.
    own: Option<String>,
    /// Directories outside the repository, in the order of their roots.
    volumes: Vec<Arc<Mounted>>,
    /// Ids of objects that are not read, because the repository lacks them and no result depends on them.
    unneeded: Arc<BTreeSet<ObjectId>>,
}

/// Creates a source of files in memory.
pub fn memory(origin: Origin, entries: Vec<Entry>) -> Source {
    Source::new(origin, None, Arc::new(memory::Memory::new(entries)), None)
}

impl Source {
    /// Creates a source that reads a store. `time` is the committer time of the revision, in seconds since 1970.
    pub fn new(origin: Origin, time: Option<i64>, store: Arc<dyn Store>, location: Option<Arc<dyn Location>>) -> Self {
        Self { origin, time, store, location, own: None, volumes: Vec::new(), unneeded: Arc::default() }
    }

    /// Restricts the source to the skills directory at this path.
    pub fn of_root(self, path: String) -> Self {
        Self { own: Some(path), ..self }
    }

    /// Returns what was opened.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the committer time of the checked state, in seconds since 1970: the commit's, or `HEAD`'s for the index
    /// and the working tree. `None` without a commit.
    pub fn time(&self) -> Option<i64> {
        self.time
    }

    /// Returns the id of the root tree; `None` unless a tree was opened.
    pub fn tree(&self) -> Option<ObjectId> {
        matches!(self.origin, Origin::Tree { .. }).then(|| self.store.top().id).flatten()
    }

    /// Returns whether a skills directory or one skill was opened, instead of a repository or a directory laid out like
    /// one.
    pub fn is_root(&self) -> bool {
        self.own.is_some()
    }

    /// Returns the source with other bytes in some files, by path: a preview of edits, or the unsaved files of an editor. Files and
    /// directories that do not exist are added.
    pub fn with(&self, texts: BTreeMap<BString, Vec<u8>>) -> Self {
        Self { store: Arc::new(Overlay::new(Arc::clone(&self.store), texts)), ..self.clone() }
    }

    /// Returns the path of a file without links: also of one that does not exist. `None` if the path leads out of the source.
    pub fn resolved(&self, path: &BStr) -> Option<BString> {
        overlay::located(&mut Finder::new(&*self.store), path).map(|(path, _)| path)
    }

    /// Returns whether a file begins with some bytes, as far as it can be read.
    pub fn starts_with(&self, path: &BStr, start: &[u8]) -> bool {
        self.bytes(path).is_some_and(|bytes| bytes.starts_with(start))
    }

    /// Returns the bytes of a file, if they can be read.
    pub fn bytes(&self, path: &BStr) -> Option<Vec<u8>> {
        let spot = Spot { path: path.to_owned(), id: None };
        match self.store.reader().content(&spot, OBJECT_BYTES) {
            Ok(store::Content::Bytes { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the source with a cache of listings: what it lists does not change any more. The contents of files are not cached.
    pub fn cached(&self) -> Self {
        Self { store: Arc::new(Cached::new(Arc::clone(&self.store))), ..self.clone() }
    }

    /// Returns what the reads so far could not take into account, although they succeeded.
    pub fn warning(&self) -> Option<String> {
        self.store.warning()
    }

    /// Returns the hash function of object ids.
    pub fn hash(&self) -> HashKind {
        self.store.hash()
    }

    /// Adds directories outside the repository, whose roots follow its own roots.
    pub fn with_volumes(self, volumes: Vec<Arc<Mounted>>) -> Self {
        Self { volumes, ..self }
    }

    /// Leaves the files with some ids unread.
    pub fn without(self, unneeded: BTreeSet<ObjectId>) -> Self {
        Self { unneeded: Arc::new(unneeded), ..self }
    }

    /// Leaves the files unread that another source does not read either.
    pub fn without_those_of(self, other: &Self) -> Self {
        Self { unneeded: Arc::clone(&other.unneeded), ..self }
    }

    /// Returns the store combined with the volumes.
    fn combined(&self) -> Arc<dyn Store> {
        match self.volumes.is_empty() {
            true => Arc::clone(&self.store),
            false => Arc::new(Volumes::new(Arc::clone(&self.store), self.volumes.clone())),
        }
    }

    /// Returns the top of the working tree; `None` if there is none.
    pub fn top(&self) -> Option<&Path> {
        self.location.as_deref().map(Location::directory)
    }

    /// Returns the directory that paths are relative to; `None` if the files are not read from the file system.
    pub fn directory(&self) -> Option<&Path> {
        matches!(self.origin, Origin::WorkTree | Origin::Directory)
            .then(|| self.location.as_deref().map(Location::directory))
            .flatten()
    }

    /// Returns the paths of all SKILL.md files, in any letter case, sorted: also those in no root.
    ///
    /// # Errors
    /// If a directory cannot be read, or there are too many.
    pub fn skill_files(&self) -> Result<Vec<BString>, Error> {
        self.searched().map_or(Ok(Vec::new()), |bounds| discover::skill_files(&*self.store, bounds))
    }

    /// Lists the files below the skills directories, and those next to them that rules are about. None is read.
    ///
    /// # Errors
    /// If a directory cannot be read, or there are too many.
    pub fn listed(&self, roots: &RootSet) -> Result<Vec<File>, Error> {
        Ok(self.walked(roots, self.searched())?.files)
    }

    /// Returns the ids of the objects of some files that the repository lacks.
    pub fn absent(&self, files: &[File]) -> BTreeSet<ObjectId> {
        absent::of(&*self.store, files)
    }

    /// Looks up paths, following links inside the repository. No file is opened. A path in a directory that cannot be
    /// read is unknown.
    pub fn presence(&self, wanted: &[BString]) -> Vec<Presence> {
        presence::of(&*self.combined(), wanted)
    }

    /// Reads the bytes of files again.
    ///
    /// # Errors
    /// If one cannot be read any more, or has changed.
    pub fn bodies(&self, files: &[File]) -> Result<Vec<Vec<u8>>, Error> {
        read::bodies(&*self.combined(), files)
    }

    /// Returns the tree id of each root, in order: the output of `git rev-parse REVISION:ROOT` for a revision, and what
    /// `git write-tree` would write for an index or a working tree, without ignored files. `None` for a root that does
    /// not exist or has conflict stages.
    ///
    /// # Errors
    /// If a file whose id is not known yet cannot be read.
    pub fn trees(&self, parsed: &Parsed) -> Result<Vec<Option<ObjectId>>, Error> {
        trees::trees(&*self.combined(), &parsed.files, &parsed.roots, &parsed.unread)
    }

    /// Returns the object id of each file below the skills directories, in their order: what `git hash-object` prints for a file of a
    /// working tree. `None` for an entry without one, such as a directory, and for a file that Git ignores.
    ///
    /// # Errors
    /// If a file whose id is not known yet cannot be read.
    pub fn ids(&self, parsed: &Parsed) -> Result<Vec<Option<ObjectId>>, Error> {
        trees::ids(&*self.combined(), &parsed.files)
    }

    /// Returns the state of the skills directories without reading a skill: in a tree without a discovery, the time of a few lookups.
    /// `None` if it is not known, for example because something cannot be read.
    ///
    /// # Errors
    /// If a directory, or a file whose id is not known yet, cannot be read.
    pub fn state(&self, roots: &RootSet, has_links: bool) -> Result<Option<RootsState>, Error> {
        let own = self.own.as_deref().map(|own| scope::roots(own, roots));
        let roots = own.unwrap_or_else(|| roots.clone());
        let searched = self.searched().filter(|_| roots.discovery.is_some());
        match state::of(&*self.store, &*self.combined(), (&roots, searched), &self.volumes, has_links) {
            Err(Error::Unreadable { .. }) => Ok(None),
            state => state,
        }
    }

    /// Counts the skills of directories that no table configures: directories with skills, in order.
    ///
    /// # Errors
    /// If a directory cannot be read, or there are too many.
    pub fn elsewhere(&self, roots: &RootSet) -> Result<Vec<(Root, usize)>, Error> {
        let walk::Walked { roots, files, .. } = self.walked(roots, self.searched())?;
        let mut counts = vec![0; roots.len()];
        for root in files.iter().filter(|file| file.role == Role::Skill).filter_map(|file| file.root) {
            counts[root.index()] += 1;
        }
        Ok(roots.into_iter().zip(counts).filter(|(root, count)| !root.configured && *count > 0).collect())
    }

    /// Returns whether a rule may read one of the files that differ between this state and another one. No skill is read. `named` are the
    /// files that the configuration names.
    ///
    /// # Errors
    /// If a directory, or a link in a skills directory, cannot be read.
    pub fn is_touched(
        &self,
        differences: &[Difference],
        roots: &RootSet,
        named: &BTreeSet<BString>,
    ) -> Result<bool, Error> {
        let lists = roots.queries.lists().iter().map(|list| BString::from(list.file.as_str()));
        let named = named.iter().cloned().chain(lists).collect();
        touched::any(&*self.store, differences, roots, &named)
    }

    /// Lists the files below directories, and the links there, sorted by path. Ignored files are left out.
    ///
    /// # Errors
    /// If a directory cannot be read, or there are too many entries.
    pub fn below(&self, directories: &BTreeSet<BString>) -> Result<Vec<File>, Error> {
        agents::below(self, directories)
    }

    /// Returns the names in a directory; `None` if it does not exist.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn names(&self, directory: &BStr) -> Result<Option<BTreeSet<BString>>, Error> {
        let mut finder = Finder::new(&*self.store);
        let Some(spot) = finder.directory(directory)? else { return Ok(None) };
        Ok(Some(finder.children(&spot)?.iter().map(|entry| entry.name.clone()).collect()))
    }

    /// Returns the directories below the top that have entries with some names, here or in another state, among those that may differ
    /// between the two: each with the names that it has.
    ///
    /// # Errors
    /// If there are too many directories.
    pub fn nested(&self, other: &Self, names: &BTreeSet<&BStr>) -> Result<BTreeMap<BString, BTreeSet<BString>>, Error> {
        match self.is_root() || other.is_root() {
            true => Ok(BTreeMap::new()),
            false => nested::directories(&*self.store, &*other.store, names),
        }
    }

    /// Calls a function with the path and the text of each tracked Markdown file, and maybe of untracked ones, without files that record
    /// history. Returns whether all were read: at most [`PAGES`] are, and 32 MiB together.
    ///
    /// # Errors
    /// If a directory cannot be read.
    pub fn each_page(&self, with_untracked: bool, visit: impl FnMut(&BString, &[u8])) -> Result<bool, Error> {
        pages::each(&*self.store, with_untracked, visit)
    }

    /// Returns a file system path relative to the top; `None` if it is outside.
    pub fn repository_path(&self, path: &Path) -> Option<BString> {
        self.location.as_ref()?.below(path)
    }
}

/// Returns whether a Markdown text has every section that another one has.
pub fn keeps_anchors(before: &[u8], after: &[u8]) -> bool {
    Anchors::cover(&after.to_str_lossy(), &before.to_str_lossy())
}

/// Converts a path of the tree to a path of the operating system, with the same bytes if possible.
pub fn os_path(path: &BStr) -> Cow<'_, Path> {
    path.to_path().map_or_else(|_| Cow::Owned(PathBuf::from(path.to_str_lossy().into_owned())), Cow::Borrowed)
}
