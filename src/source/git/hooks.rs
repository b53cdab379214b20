//! Where git looks for the hooks of a repository.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;

use super::Opened;
use crate::source::{Environment, Error, os_path};

/// Where git looks for the hooks of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// The directory of the repository's own hooks, which all its work trees share. It need not exist.
    pub directory: PathBuf,
    /// The directory that `core.hooksPath` names instead, if it does: then nothing in the other is run.
    pub instead: Option<PathBuf>,
    /// Whether there is no work tree, so that hooks receive pushes and make no commits.
    pub bare: bool,
}

/// Asks for the hooks of the repository that a place lies in.
pub(in crate::source) fn find(place: &Path, environment: &Environment) -> Result<Hooks, Error> {
    let opened = Opened::new(place, environment)?;
    let repository = opened.objects.repository.to_thread_local();
    let directory = repository.common_dir().join("hooks");
    let instead = repository.config_snapshot().string("core.hooksPath");
    let instead = instead.map(|path| os_path(path.as_bstr()).into_owned()).filter(|path| !path.as_os_str().is_empty());
    // A relative path starts where hooks are run.
    let instead = instead.map(|path| opened.work_tree.as_deref().unwrap_or(&opened.git_dir).join(path));
    let is_another = |path: &PathBuf| std::path::absolute(path).ok() != std::path::absolute(&directory).ok();
    Ok(Hooks { instead: instead.filter(is_another), directory, bare: opened.work_tree == Err(Error::NoWorkTree) })
}
