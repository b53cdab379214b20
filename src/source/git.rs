//! Repositories: finding one, opening it with nothing of it trusted, and resolving what was asked for to object ids.

mod delta;
mod discover;
mod hooks;
mod index;
mod layout;
mod loose;
mod merge_base;
mod objects;
mod quarantine;
mod references;
mod revision;
mod settings;
mod upstream;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::discover::Found;
pub use self::hooks::Hooks;
pub(super) use self::hooks::find as hooks;
use self::index::Index;
pub(super) use self::index::{Entries, LeftOut};
pub(super) use self::layout::IGNORE_BYTES;
use self::loose::Loose;
pub(super) use self::merge_base::open as open_base;
use self::objects::{Idle, Tree};
pub(super) use self::objects::{OBJECT_BYTES, Objects};
use self::revision::{Resolved, head_time, resolve};
pub(super) use self::settings::Filesystem;
use super::base::Base;
use super::{Environment, Error, Source};
use crate::snapshot::Origin;

/// An index that two threads read sooner than one (ours: 1 MiB, some ten thousand files).
const LARGE_INDEX_BYTES: u64 = 1 << 20;

/// Opens the index of the repository that a place lies in.
pub(super) fn index(place: &Path, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let time = head_time(&mut opened.objects.reader());
    let (base, entries) = (opened.base(place), opened.index(place, environment)?);
    let store = Arc::new(Index { objects: opened.objects, entries });
    Ok(Source { origin: Origin::Index, time, store, base: Some(base), own: None, volumes: Vec::new() })
}

/// Opens the tree that a revision names in the repository that a place lies in.
pub(super) fn tree(place: &Path, revision: &str, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let found = resolve(&mut opened.objects.reader(), revision)?;
    Ok(opened.tree(place, revision, found))
}

/// What a work tree is read with: what git knows of its files.
pub(super) struct Checkout {
    /// The top of the work tree.
    pub top: PathBuf,
    /// `HEAD`'s committer time.
    pub time: Option<i64>,
    pub objects: Objects,
    pub entries: Entries,
    pub filesystem: Filesystem,
}

/// Opens what git knows of the work tree that a place lies in.
pub(super) fn checkout(place: &Path, environment: &Environment) -> Result<Checkout, Error> {
    let opened = Opened::new(place, environment)?;
    let top = opened.work_tree.clone()?;
    let time = head_time(&mut opened.objects.reader());
    let entries = opened.index(place, environment)?;
    let filesystem = Filesystem::new(&opened.objects.reader().repository);
    Ok(Checkout { top, time, objects: opened.objects, entries, filesystem })
}

/// Whether there is an index, or nothing yet to make one of. Where that cannot be told, reading says why.
pub(super) fn is_checked_out(place: &Path, environment: &Environment) -> bool {
    let Ok(opened) = Opened::new(place, environment) else { return true };
    opened.index_file(place, environment).symlink_metadata().is_ok()
        || head_time(&mut opened.objects.reader()).is_none()
}

/// A repository, before it is known what of it is read.
struct Opened {
    objects: Objects,
    work_tree: Result<PathBuf, Error>,
    git_dir: PathBuf,
}

impl Opened {
    fn new(place: &Path, environment: &Environment) -> Result<Self, Error> {
        let Found { repository, work_tree, objects } = discover::find(place, environment)?;
        let git_dir = repository.git_dir().to_owned();
        let mut objects = join(repository, objects, place, environment)?;
        objects.repository.work_tree = work_tree.as_ref().ok().cloned();
        Ok(Self { objects, work_tree, git_dir })
    }

    fn base(&self, place: &Path) -> Base {
        Base::new(self.work_tree.as_deref().unwrap_or(place))
    }

    fn tree(self, place: &Path, revision: &str, found: Resolved) -> Source {
        let origin = Origin::Tree { revision: revision.to_owned(), commit: found.commit };
        let base = Some(self.base(place));
        let store = Arc::new(Tree { objects: self.objects, top: found.tree });
        Source { origin, time: found.time, store, base, own: None, volumes: Vec::new() }
    }

    fn index(&self, place: &Path, environment: &Environment) -> Result<Entries, Error> {
        let file = self.index_file(place, environment);
        // An index that is not there is empty before the first `git add`; a bare repository never has one.
        if environment.index_file.is_none() && self.work_tree == Err(Error::NoWorkTree) && !file.exists() {
            return Err(Error::NoWorkTree);
        }
        // A large one is decoded while its checksum is computed.
        if file.metadata().is_ok_and(|metadata| metadata.len() > LARGE_INDEX_BYTES) {
            environment.temporaries.starter().start();
        }
        Entries::open(&file, self.objects.repository.objects.object_hash())
    }

    fn index_file(&self, place: &Path, environment: &Environment) -> PathBuf {
        match &environment.index_file {
            // Git enters the top of the work tree before it opens a relative index.
            Some(path) => self.work_tree.as_deref().unwrap_or(place).join(path),
            // `gitoxide.core.indexFile` of a hostile configuration would name another one.
            None => self.git_dir.join("index"),
        }
    }
}

/// The objects of a repository: those of the quarantine too, when a push is being received.
fn join(
    mut repository: gix::Repository,
    mut directories: Vec<PathBuf>,
    place: &Path,
    environment: &Environment,
) -> Result<Objects, Error> {
    let broken = |reason: String| Error::Repository { place: place.to_owned(), reason };
    let partial = settings::is_partial(&repository);
    let is_named = environment.object_directory.is_some() || !environment.alternates.is_empty();
    if is_named {
        let pushed = environment.object_directory.as_ref().map(|path| vec![place.join(path)]);
        let alternates = environment.alternates.iter().map(|path| place.join(path));
        let named = pushed.unwrap_or(directories).into_iter().chain(alternates).collect();
        directories = layout::objects(named).map_err(broken)?;
    }
    let mut quarantine = None;
    // Of alternates that name others by relative paths gix knows only the first by its right name.
    if is_named || directories.len() > 2 {
        let joined = quarantine::join(&directories, repository.object_hash(), &environment.temporaries);
        let (directory, joined) =
            joined.ok_or_else(|| broken("its directories of objects cannot be read".to_owned()))?;
        (repository.objects, quarantine) = (joined, Some(directory));
    }
    let loose = Arc::new(Loose::new(directories));
    Ok(Objects { repository: repository.into_sync(), partial, loose, idle: Idle::default(), _quarantine: quarantine })
}
