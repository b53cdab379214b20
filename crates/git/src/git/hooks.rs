//! Hook directories of a repository.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use gix::config::path::interpolate;
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

/// Returns the value of `core.hooksPath`, with `~` as the home directory. It is only named, never opened.
fn hooks_path(repository: &gix::Repository) -> Option<PathBuf> {
    let config = repository.config_snapshot();
    let home = gix::path::env::home_dir();
    let context = interpolate::Context { home_dir: home.as_deref(), ..interpolate::Context::default() };
    let path = config.plumbing().path("core.hooksPath")?.interpolate(context).ok();
    path.or_else(|| Some(os_path(config.string("core.hooksPath")?.as_bstr()).into_owned()))
}

/// Returns the hook directories of the repository that contains a place.
pub(crate) fn find(place: &Path, environment: &Environment) -> Result<Hooks, Error> {
    let opened = Opened::new(place, environment)?;
    let repository = opened.objects.repository.to_thread_local();
    let directory = repository.common_dir().join("hooks");
    // With an empty path, Git runs `/pre-commit`.
    let instead = hooks_path(&repository).map(|path| if path.as_os_str().is_empty() { "/".into() } else { path });
    // A relative path starts where hooks run.
    let instead = instead.map(|path| opened.work_tree.as_deref().unwrap_or(&opened.git_dir).join(path));
    let is_another = |path: &PathBuf| std::path::absolute(path).ok() != std::path::absolute(&directory).ok();
    Ok(Hooks { instead: instead.filter(is_another), directory, bare: opened.work_tree == Err(Error::NoWorkTree) })
}
