//! Repositories: discovery, opening without trust, and resolution of revisions to object ids.

mod delta;
mod discover;
mod hooks;
mod index;
mod layout;
mod loose;
mod merge;
mod merge_base;
mod objects;
mod pushed;
mod quarantine;
mod references;
mod reftable;
mod revision;
mod settings;
mod upstream;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{Difference, Error, Source};

use self::discover::Found;
pub use self::hooks::Hooks;
pub(crate) use self::hooks::find as hooks;
use self::index::Index;
pub(crate) use self::index::{Entries, Omitted};
pub(crate) use self::layout::IGNORE_BYTES;
use self::loose::Loose;
pub(crate) use self::merge::open as open_merged;
pub(crate) use self::merge_base::{open as open_base, open_others as open_other_bases};
pub(crate) use self::objects::Objects;
use self::objects::Tree;
pub(crate) use self::pushed::inputs;
pub use self::pushed::{Inputs, Pair};
use self::revision::{Resolved, head_time, resolve};
pub(crate) use self::settings::Filesystem;
use crate::base::Base;
use crate::environment::Environment;

/// Opens the index of the repository that contains a place.
pub(crate) fn index(place: &Path, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let time = head_time(&mut opened.objects.reader());
    let (base, entries) = (opened.base(place), opened.index(place, environment)?);
    let store = Arc::new(Index { objects: opened.objects, entries });
    Ok(Source::new(Origin::Index, time, store, Some(Arc::new(base))))
}

/// Opens the tree that a revision names in the repository that contains a place.
pub(crate) fn tree(place: &Path, revision: &str, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let found = resolve(&mut opened.objects.reader(), revision).map_err(|error| match error {
        Error::Unborn { .. } if opened.work_tree == Err(Error::NoWorkTree) => Error::Empty,
        error => error,
    })?;
    Ok(opened.tree(place, revision, found))
}

/// The git state of a working tree.
pub(crate) struct Checkout {
    /// The top of the working tree.
    pub top: PathBuf,
    /// `HEAD`'s committer time, in seconds since 1970.
    pub time: Option<i64>,
    pub objects: Objects,
    pub entries: Entries,
    pub filesystem: Filesystem,
}

/// Opens the git state of the working tree that contains a place.
pub(crate) fn checkout(place: &Path, environment: &Environment) -> Result<Checkout, Error> {
    let opened = Opened::new(place, environment)?;
    let top = opened.work_tree.clone()?;
    let time = head_time(&mut opened.objects.reader());
    let entries = opened.index(place, environment)?;
    let filesystem = Filesystem::new(&opened.objects.reader().repository);
    Ok(Checkout { top, time, objects: opened.objects, entries, filesystem })
}

/// Returns whether there is an index, or no commit to create one from. On an error it returns `true`, and reading
/// reports the error.
pub(crate) fn is_checked_out(place: &Path, environment: &Environment) -> bool {
    let Ok(opened) = Opened::new(place, environment) else { return true };
    opened.index_file(place, environment).symlink_metadata().is_ok()
        || head_time(&mut opened.objects.reader()).is_none()
}

/// Returns whether the index records exactly the tree of `HEAD`: then there is nothing to commit.
pub(crate) fn is_committed(place: &Path, environment: &Environment) -> Result<bool, Error> {
    let opened = Opened::new(place, environment)?;
    let head = match resolve(&mut opened.objects.reader(), "HEAD") {
        Err(Error::Unborn { .. }) => return Ok(false),
        found => found?,
    };
    Ok(opened.index(place, environment)?.tree() == Some(head.tree))
}

/// Returns what a commit of the index would change in `HEAD`; `None` if an entry is unmerged or more than `limit` files differ.
pub(crate) fn differences(
    place: &Path,
    environment: &Environment,
    limit: usize,
) -> Result<Option<Vec<Difference>>, Error> {
    let opened = Opened::new(place, environment)?;
    let mut reader = opened.objects.reader();
    let head = resolve(&mut reader, "HEAD")?;
    opened.index(place, environment)?.differences(&mut reader, head.tree, limit)
}

/// Returns whether a repository is a shallow clone.
pub(crate) fn is_shallow(place: &Path, environment: &Environment) -> Result<bool, Error> {
    let opened = Opened::new(place, environment)?;
    Ok(opened.objects.repository.to_thread_local().is_shallow().unwrap_or(false))
}

/// Returns whether a repository has a branch, a tag or another reference. References that cannot be read count as existing.
pub(crate) fn has_references(place: &Path, environment: &Environment) -> Result<bool, Error> {
    let opened = Opened::new(place, environment)?;
    Ok(references::exist(&opened.objects.repository.to_thread_local()))
}

/// An opened repository, before a state of it is chosen.
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
        let base = self.base(place);
        let store = Arc::new(Tree { objects: self.objects, top: found.tree });
        Source::new(origin, found.time, store, Some(Arc::new(base)))
    }

    fn index(&self, place: &Path, environment: &Environment) -> Result<Entries, Error> {
        let file = self.index_file(place, environment);
        // A missing index is empty before the first `git add`; a bare repository never has one.
        if environment.index_file.is_none() && self.work_tree == Err(Error::NoWorkTree) && !file.exists() {
            return Err(Error::NoWorkTree);
        }
        Entries::open(&file, self.objects.repository.objects.object_hash())
    }

    fn index_file(&self, place: &Path, environment: &Environment) -> PathBuf {
        match &environment.index_file {
            // Git changes to the top of the working tree before it opens a relative index.
            Some(path) => self.work_tree.as_deref().unwrap_or(place).join(path),
            // Ignores `gitoxide.core.indexFile`, which a hostile configuration could set.
            None => self.git_dir.join("index"),
        }
    }
}

/// Opens the objects of a repository, including the quarantine while a push is received.
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
    // gix resolves relative paths in nested alternates wrongly.
    if is_named || directories.len() > 2 {
        let hash = repository.object_hash();
        let (directory, joined) = quarantine::join(&directories, hash, &environment.temporaries, broken)?;
        (repository.objects, quarantine) = (joined, Some(directory));
    }
    let loose = Arc::new(Loose::new(directories));
    Ok(Objects { repository: repository.into_sync(), partial, loose, _quarantine: quarantine })
}
