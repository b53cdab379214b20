//! Opens git repositories and directories as sources of skills.
//!
//! This is the only crate that uses gitoxide, and the only one that reads files of the checked tree. Nothing in a repository is
//! trusted: no program that its configuration names is started, and no link is followed out of it. The crate is internal: it
//! promises nothing to other programs. The stable interface is the crate `skilltree`.

mod base;
mod temporary;
mod environment;
mod hash;
mod git;
mod directory;
mod scope;
mod volume;

use std::path::Path;

use skilltree_skills::source::{Difference, Error, Source};

pub use self::environment::Environment;
pub use self::git::{Hooks, Inputs, Pair};
pub use self::scope::has_entry;
pub use self::temporary::Temporaries;
pub use self::volume::{Volume, mount};

/// The state of a repository to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// The index: the one that `GIT_INDEX_FILE` names where it is set.
    Index,
    /// A commit, a tag or a tree, by any name that git resolves.
    Tree(String),
    /// The working tree.
    WorkTree,
}

/// Opens a revision of the repository that contains a place.
///
/// # Errors
/// When there is no repository, it belongs to another user, or the revision names nothing that can be read.
pub fn open(place: &Path, revision: &Revision, environment: &Environment) -> Result<Source, Error> {
    match revision {
        Revision::WorkTree => Ok(directory::work_tree(git::checkout(place, environment)?)),
        Revision::Index => git::index(place, environment),
        Revision::Tree(name) => git::tree(place, name, environment),
    }
}

/// Opens the base that a source is compared with: the merge base of a revision and the commit of the source, which is `HEAD` for
/// an index and a working tree. Without a known merge base it is the revision itself.
///
/// # Errors
/// When the revision names nothing that can be read: [`Error::Shallow`] where a shallow clone may lack it.
pub fn open_base(place: &Path, revision: &str, head: &Source, environment: &Environment) -> Result<Source, Error> {
    git::open_base(place, revision, head.origin(), environment)
}

/// Returns what decides the results of some comparisons, each of a revision with its base. `None` where a revision cannot be read.
///
/// # Errors
/// When there is no repository, or it cannot be opened.
pub fn inputs(place: &Path, pairs: &[Pair], environment: &Environment) -> Result<Vec<Option<Inputs>>, Error> {
    git::inputs(place, pairs, environment)
}

/// Opens the other merge bases if a revision and a source have several, and the revision itself: what any of them has is not new.
///
/// # Errors
/// When one of the commits cannot be read.
pub fn open_other_bases(
    place: &Path,
    revision: &str,
    head: &Source,
    environment: &Environment,
) -> Result<Vec<Source>, Error> {
    git::open_other_bases(place, revision, head.origin(), environment)
}

/// Opens the other parents of the next commit: the commits that a merge in progress brings into `HEAD`. There are none unless an
/// index or a working tree is compared with `HEAD`.
///
/// # Errors
/// When one of the commits cannot be read.
pub fn open_merged(
    place: &Path,
    head: &Source,
    base: &Source,
    environment: &Environment,
) -> Result<Vec<Source>, Error> {
    git::open_merged(place, head.origin(), base.origin(), environment)
}

/// Returns whether the index records exactly the tree of `HEAD`: then there is nothing to commit.
///
/// # Errors
/// When the index or `HEAD` cannot be read.
pub fn is_committed(place: &Path, environment: &Environment) -> Result<bool, Error> {
    git::is_committed(place, environment)
}

/// Returns the files that a commit of the index would change in `HEAD`, sorted by path; `None` if an entry is unmerged or more than
/// `limit` files differ. No file is read.
///
/// # Errors
/// When the index, or a tree of `HEAD` that differs, cannot be read.
pub fn differences(place: &Path, environment: &Environment, limit: usize) -> Result<Option<Vec<Difference>>, Error> {
    git::differences(place, environment, limit)
}

/// Returns whether the repository that contains a place is a shallow clone, which may lack any commit.
///
/// # Errors
/// When there is no repository, or it cannot be opened.
pub fn is_shallow(place: &Path, environment: &Environment) -> Result<bool, Error> {
    git::is_shallow(place, environment)
}

/// Returns whether the repository that contains a place has any branch, tag or other reference.
///
/// # Errors
/// When there is no repository, or it cannot be opened.
pub fn has_references(place: &Path, environment: &Environment) -> Result<bool, Error> {
    git::has_references(place, environment)
}

/// Returns where git looks for the hooks of the repository that contains a place.
///
/// # Errors
/// When there is no repository, or it cannot be opened.
pub fn hooks(place: &Path, environment: &Environment) -> Result<Hooks, Error> {
    git::hooks(place, environment)
}

/// Returns whether the working tree that contains a place was ever checked out: `clone --no-checkout` leaves commits without an
/// index.
pub fn is_checked_out(place: &Path, environment: &Environment) -> bool {
    git::is_checked_out(place, environment)
}

/// Opens a directory outside any repository: one with skills directories like a repository, one that is a skills directory
/// itself, or the directory of one skill. `named` is relative to `from`.
///
/// # Errors
/// When there is no such directory.
pub fn directory(from: &Path, named: &Path) -> Result<Source, Error> {
    scope::directory(from, named)
}

/// Opens a directory outside any repository as if it were the top of one.
pub fn top(place: &Path) -> Source {
    scope::top(place)
}
