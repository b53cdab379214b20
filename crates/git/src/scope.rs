//! Directories outside any repository: finds the skills directory.
#![allow(clippy::disallowed_methods, reason = "this looks at the directory that was named")]

use std::path::Path;
use std::sync::Arc;

use bstr::ByteSlice;
use skilltree_core::roots;
use skilltree_core::snapshot::Origin;
use skilltree_core::source::{Error, Location, Source};

use crate::base::Base;
use crate::directory::Directory;

/// Entries of a directory that is laid out like a repository.
const LAYOUT: &[&str] = &[".symphony/skills", ".agent/skills", "skilltree.toml", "WORKFLOW.md"];

/// Opens a directory outside any repository. Paths are relative to `from` if the directory is below it; otherwise they
/// begin with the name of the root.
pub(crate) fn directory(from: &Path, named: &Path) -> Result<Source, Error> {
    let bytes = |path: &Path| gix::path::into_bstr(path).map(|path| path.into_owned()).unwrap_or_default();
    let missing = |reason: &str| Error::Unreadable { path: bytes(named), reason: reason.to_owned() };
    let real = |path: &Path| std::fs::canonicalize(path);
    let place = real(&from.join(named)).map_err(|_| missing("it does not exist"))?;
    let is_skill_file =
        |path: &Path| path.file_name().is_some_and(|name| roots::is_skill_file(bytes(name.as_ref()).as_bstr()));
    let place = match place.parent() {
        _ if place.is_dir() => place.as_path(),
        Some(parent) if is_skill_file(&place) => parent,
        _ => return Err(Error::NotASkill { path: bytes(named) }),
    };
    if LAYOUT.iter().any(|name| place.join(name).symlink_metadata().is_ok()) {
        return Ok(top(place));
    }
    let children = std::fs::read_dir(place).map_err(|_| missing("permission denied"))?;
    let is_skill = children.filter_map(Result::ok).any(|child| is_skill_file(&child.path()));
    let root = if is_skill { place.parent() } else { Some(place) };
    let Some((root, parent)) = root.and_then(|root| Some((root, root.parent()?))) else {
        return Err(Error::Top { path: bytes(named) });
    };
    let from = real(from).ok().filter(|from| root != from && root.starts_with(from));
    let above = from.as_deref().unwrap_or(parent);
    let path = Base::new(above).below(root).unwrap_or_default();
    let own = path.to_str().map_err(|_| missing("its name is not UTF-8"))?.to_owned();
    let only = is_skill.then(|| (path, place.file_name().map(|name| bytes(name.as_ref())).unwrap_or_default()));
    let store = Arc::new(Directory::plain(above.to_owned(), only));
    Ok(source(above, store).of_root(own))
}

/// Opens a directory as if it were the top of a repository.
pub(crate) fn top(place: &Path) -> Source {
    source(place, Arc::new(Directory::plain(place.to_owned(), None)))
}

fn source(top: &Path, store: Arc<Directory>) -> Source {
    Source::new(Origin::Directory, None, store, Some(Arc::new(Base::new(top))))
}
