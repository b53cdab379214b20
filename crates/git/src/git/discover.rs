//! Discovery of the repository that contains a place, and of its working tree.
#![allow(clippy::disallowed_methods, reason = "this is the one place that opens repositories")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use skilltree_skills::source::Error;

use super::{layout, settings};
use crate::environment::Environment;

/// An opened repository, and the paths that gix must not choose.
pub(super) struct Found {
    pub(super) repository: gix::Repository,
    /// The top of the working tree, or why there is none.
    pub(super) work_tree: Result<PathBuf, Error>,
    /// The object directories: its own, then the alternates.
    pub(super) objects: Vec<PathBuf>,
}

/// Opens the repository that `GIT_DIR` names, otherwise the first one in a place or its parents.
pub(super) fn find(place: &Path, environment: &Environment) -> Result<Found, Error> {
    let (git_dir, top) = match &environment.git_dir {
        Some(directory) => (place.join(directory), Some(place.to_owned())),
        None => discover(place, &environment.ceilings)?,
    };
    let common = validate(&git_dir, place)?;
    let objects = layout::objects(vec![common.join("objects")]).map_err(|reason| broken(place, reason))?;
    let repository = settings::open(&git_dir, place)?;
    let top = environment.work_tree.as_ref().map(|top| place.join(top)).or(top);
    let is_named = environment.work_tree.is_some();
    let work_tree = top.ok_or(Error::NoWorkTree).and_then(|top| work_tree(&repository, top, is_named));
    Ok(Found { repository, work_tree, objects })
}

/// Validates a directory, or the target of a `.git` file, before it is opened.
fn validate(git_dir: &Path, place: &Path) -> Result<PathBuf, Error> {
    let linked = if git_dir.is_file() { layout::linked(git_dir) } else { None };
    layout::validate(linked.as_deref().unwrap_or(git_dir)).map_err(|reason| broken(place, reason))
}

fn broken(place: &Path, reason: impl Into<String>) -> Error {
    Error::Repository { place: place.to_owned(), reason: reason.into() }
}

/// Returns the directory of the first repository in a place or its parents, and the directory that has it as `.git`.
/// Like git, it starts at the resolved path and stops at ceilings and file system boundaries.
fn discover(place: &Path, ceilings: &[PathBuf]) -> Result<(PathBuf, Option<PathBuf>), Error> {
    let none = || Error::NoRepository { place: place.to_owned() };
    let named = std::path::absolute(place).map_err(|_| none())?;
    let real = fs::canonicalize(place).map_err(|_| none())?;
    let is_ceiling = |directory: &Path| {
        ceilings.iter().any(|ceiling| ceiling == directory || fs::canonicalize(ceiling).is_ok_and(|c| c == directory))
    };
    let above = real
        .ancestors()
        .skip(1)
        .take_while(|directory| !is_ceiling(directory) && is_same_file_system(directory, &real));
    for directory in std::iter::once(named.as_path()).chain(above) {
        let inside = directory.join(".git");
        if is_repository(&inside, place)? {
            return Ok((inside, Some(directory.to_owned())));
        }
        if inside.is_file() {
            return Err(broken(place, "its `.git` file does not point to a repository"));
        }
        if is_repository(directory, place)? {
            return Ok((directory.to_owned(), None));
        }
    }
    Err(none())
}

fn is_repository(candidate: &Path, place: &Path) -> Result<bool, Error> {
    let is_nothing = candidate.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    if is_nothing || candidate.is_dir() && candidate.join("HEAD").symlink_metadata().is_err() {
        return Ok(false);
    }
    validate(candidate, place)?;
    Ok(gix::discover::is_git(candidate).is_ok())
}

/// Returns whether two directories are on the same file system.
#[cfg(unix)]
fn is_same_file_system(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| path.metadata().ok().map(|metadata| metadata.dev());
    device(a) == device(b)
}

#[cfg(not(unix))]
fn is_same_file_system(_: &Path, _: &Path) -> bool {
    true
}

/// Returns the top of the working tree as git does: `GIT_WORK_TREE`; none if the repository is bare; otherwise the
/// parent of `.git`, or the current directory if `GIT_DIR` is set. A configuration with another path is rejected: the
/// checked repository could choose which files are read.
fn work_tree(repository: &gix::Repository, top: PathBuf, is_named: bool) -> Result<PathBuf, Error> {
    let config = repository.config_snapshot();
    let is_linked = repository.common_dir() != repository.git_dir();
    if is_named || is_linked {
        return Ok(top);
    }
    if config.boolean("core.bare") == Some(true) {
        return Err(Error::NoWorkTree);
    }
    let real = |path: &Path| fs::canonicalize(path).ok();
    match config.string("core.worktree").map(|path| gix::path::from_bstring(path).unwrap_or_default()) {
        Some(path) if real(&repository.git_dir().join(&path)) != real(&top) => Err(Error::WorkTreeElsewhere),
        _ => Ok(top),
    }
}
