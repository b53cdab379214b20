//! Paths that lie in another repository than this directory, or in none: they are read where they lie.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree::source::{self, Error, Revision, Source};

use super::args;
use super::environment;
use super::failure::Failure;
use super::paths;
use super::place::Place;
use super::session::{self, Places, Request, Session};

/// Opens what paths of the command line mean when they do not lie in the repository of this directory, `own`: their own
/// repository, where it has them in a root, else the plain directory. `None` when they lie in `own`, or nowhere.
///
/// What git or an option says of a revision is meant for this directory's repository alone.
pub(super) fn open(
    common: &args::Common,
    typed_in: &Place,
    own: Option<&Source>,
    arguments: &args::Source,
    request: &Request<'_>,
) -> Result<Option<Session>, Failure> {
    let is_said = session::explicit(arguments).is_some() || !typed_in.environment.is_silent();
    let is_hook = environment::hook().is_some() && !request.work_tree;
    let [first, ..] = request.paths else { return Ok(None) };
    let path = typed_in.join(first);
    let is_own = own.is_some_and(|own| own.directory().is_none() || is_in(own, &path));
    if is_said || is_hook || is_own || first.as_os_str() == "-" || !path.exists() {
        return Ok(None);
    }
    let place = if path.is_dir() { path } else { path.parent().map_or(typed_in.to_path_buf(), PathBuf::from) };
    let place = typed_in.elsewhere(place);
    let theirs = match source::open(&place, &Revision::WorkTree, &place.environment) {
        Ok(source) if own.is_some_and(|own| own.directory() == source.directory()) => return Ok(None),
        Ok(source) => Some(source),
        Err(Error::NoRepository { .. } | Error::NoWorkTree) => None,
        Err(error) => return Err(error.into()),
    };
    // Files that the command line names are found from where it was typed.
    let arguments =
        args::Source { config: arguments.config.as_ref().map(|path| typed_in.join(path)), ..arguments.clone() };
    let judged = |place: Place, source: Source| -> Result<Session, Failure> {
        let places = Places { typed_in: typed_in.clone(), place };
        Session::judged(common, places, source, &arguments, request)
    };
    if let Some(source) = theirs {
        let session = judged(place, source)?;
        if paths::wanted(&session.report, &session.source, typed_in, request.paths).is_ok() {
            return Ok(Some(session));
        }
    }
    let [path] = request.paths else {
        return Err(Failure::new("outside a repository one path is read at a time")
            .help("name the directory that holds them all, or run `git init` there"));
    };
    judged(typed_in.clone(), source::directory(typed_in, path)?).map(Some)
}

/// Whether a path lies in a work tree, and not in a repository that lies in it.
fn is_in(own: &Source, path: &Path) -> bool {
    let (Some(top), Some(below)) = (own.directory(), own.repository_path(path)) else { return false };
    let below = below.to_path_lossy();
    let mut directories = below.ancestors().filter(|directory| !directory.as_os_str().is_empty());
    !directories.any(|directory| top.join(directory).join(".git").symlink_metadata().is_ok())
}
