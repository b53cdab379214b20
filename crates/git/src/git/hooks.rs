//! Hook directories of a repository.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_skills::source::{Error, os_path};

use super::Opened;
use crate::environment::Environment;

/// The hook directories of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// The repository's hook directory, which all its worktrees share. It may not exist.
    pub directory: PathBuf,
    /// The directory in `core.hooksPath`, if set: then git does not run the hooks in `directory`.
    pub instead: Option<PathBuf>,
    /// Whether there is no working tree, so that hooks receive pushes instead of commits.
    pub bare: bool,
}

/// Returns the hook directories of the repository that contains a place.
pub(crate) fn find(place: &Path, environment: &Environment) -> Result<Hooks, Error> {
    let opened = Opened::new(place, environment)?;
    let repository = opened.objects.repository.to_thread_local();
    let directory = repository.common_dir().join("hooks");
    let instead = repository.config_snapshot().string("core.hooksPath");
    let instead = instead.map(|path| os_path(path.as_bstr()).into_owned()).filter(|path| !path.as_os_str().is_empty());
    // A relative path starts where hooks run.
    let instead = instead.map(|path| opened.work_tree.as_deref().unwrap_or(&opened.git_dir).join(path));
    let is_another = |path: &PathBuf| std::path::absolute(path).ok() != std::path::absolute(&directory).ok();
    Ok(Hooks { instead: instead.filter(is_another), directory, bare: opened.work_tree == Err(Error::NoWorkTree) })
}
