//! Paths outside the repository of the current directory: in another repository, or in none.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_git::Revision;
use skilltree_report::render::escape;
use skilltree_skills::source::{Error, Source};

use super::args;
use super::environment;
use super::output::Stderr;
use super::paths;
use super::request::Request;
use crate::failure::Failure;
use crate::file;
use crate::options::{Options, Overrides};
use crate::place::Place;
use crate::session::Session;

/// Opens the source of paths that are not in `own`, the repository of the current directory: their repository, if it has them in
/// a skills directory, or else the plain directory. Returns `None` for paths that are in `own` or do not exist.
///
/// Git's variables and the revision options apply to `own` only.
pub(super) fn open(
    common: &args::Common,
    typed_in: &Place,
    own: Option<&Source>,
    options: &Options,
    request: &Request<'_>,
) -> Result<Option<Session>, Failure> {
    let is_explicit = options.revision.is_some() || !typed_in.environment.is_empty();
    let is_hook = environment::hook().is_some() && !request.worktree;
    let [first, ..] = request.paths else { return Ok(None) };
    let path = typed_in.join(first);
    let is_own = own.is_some_and(|own| own.directory().is_none() || is_in(own, &path));
    if is_explicit || is_hook || is_own || first.as_os_str() == "-" || !path.exists() {
        return Ok(None);
    }
    let place = if path.is_dir() { path } else { path.parent().map_or(typed_in.to_path_buf(), PathBuf::from) };
    let place = typed_in.outside(place);
    let theirs = match skilltree_git::open(&place, &Revision::WorkTree, &place.environment) {
        Ok(source) if own.is_some_and(|own| own.directory() == source.directory()) => return Ok(None),
        Ok(source) => Some(source),
        Err(Error::NoRepository { .. } | Error::NoWorkTree) => None,
        Err(error) => return Err(error.into()),
    };
    // Paths on the command line are relative to the current directory.
    let absolute = |path: &Option<PathBuf>| path.as_ref().map(|path| typed_in.join(path));
    let (config, policy) = (absolute(&options.overrides.config), absolute(&options.overrides.policy));
    let overrides = Overrides { config, policy, ..options.overrides.clone() };
    let options = Options { overrides, ..options.clone() };
    let checked = |place, source| Session::new(typed_in.clone(), place, source, &options, request.purpose, common);
    if let Some(source) = theirs {
        let session = paths::reopened(checked(place.clone(), source)?, request.paths, |directories| {
            let source = skilltree_git::open(&place, &Revision::WorkTree, &place.environment)?;
            let options = Options { directories, ..options.clone() };
            Session::new(typed_in.clone(), place, source, &options, request.purpose, common)
        })?;
        let wanted = paths::wanted(&session, request.paths);
        if wanted.is_ok_and(|wanted| wanted.has_skills()) {
            return Ok(Some(named(common, typed_in, session)));
        }
    }
    let [path] = request.paths else {
        return Err(Failure::new("outside a repository, only one path can be checked at a time")
            .help("pass the directory that contains all paths, or run `git init` there"));
    };
    let session = checked(typed_in.clone(), skilltree_git::directory(typed_in, path)?)?;
    let session = paths::reopened(session, request.paths, |directories| {
        let options = Options { directories, ..options.clone() };
        let source = skilltree_git::directory(typed_in, path)?;
        Session::new(typed_in.clone(), typed_in.clone(), source, &options, request.purpose, common)
    })?;
    Ok(Some(named(common, typed_in, session)))
}

/// Reports the directory that paths in the output are relative to, if it is not the current one.
fn named(common: &args::Common, typed_in: &Place, session: Session) -> Session {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    if let Some(top) = session.source.top().filter(|top| real(top) != real(typed_in)) {
        let top = file::shown(top);
        let top = escape::text(&top);
        Stderr::new(common).info(&format!("paths are relative to {top}"));
    }
    session
}

/// Returns whether a path is inside a working tree, and not inside a nested repository.
fn is_in(own: &Source, path: &Path) -> bool {
    let (Some(top), Some(below)) = (own.directory(), own.repository_path(path)) else { return false };
    let below = below.to_path_lossy();
    let mut directories = below.ancestors().filter(|directory| !directory.as_os_str().is_empty());
    !directories.any(|directory| top.join(directory).join(".git").symlink_metadata().is_ok())
}
