//! Directories outside any repository: finds the skills directory.
#![allow(clippy::disallowed_methods, reason = "this looks at the directory that was named")]

use std::path::Path;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use skilltree_runtimes::profile::Profiles;
use skilltree_runtimes::scope;
use skilltree_skills::roots;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{Error, Location, Source};

use crate::base::Base;
use crate::directory::Directory;

/// Entries of a directory that is laid out like a repository.
const LAYOUT: &[&str] = &[".claude-plugin", "WORKFLOW.md", "plugins", "skills", "skilltree.toml"];

/// The last component of paths that runtimes search.
const SKILLS: &[&str] = &["skill", "skills"];

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
    if place.parent().is_none() {
        return Err(Error::Top { path: bytes(named) });
    }
    let children = || Ok(std::fs::read_dir(place).map_err(|_| missing("permission denied"))?.filter_map(Result::ok));
    // In a repository, `skill.md` may be any document.
    let is_exact = has_entry(place, "SKILL.md");
    let is_skill =
        is_exact || !is_laid_out(place, children()?) && children()?.any(|child| is_skill_file(&child.path()));
    let is_root = place.file_name().is_some_and(|name| SKILLS.iter().any(|known| name == *known));
    // `.claude` is part of the directory above it, which runtimes search.
    let name = place.file_name().map(|name| bytes(name.as_ref())).unwrap_or_default();
    let is_part = name.starts_with(b".") && is_searched(name.as_bstr()) && is_skills_parent(place);
    let is_here = real(from).is_ok_and(|from| from == place);
    if let Some(above) = place.parent().filter(|_| !is_skill && !is_root && is_part && !is_here) {
        return Ok(source(above, Arc::new(Directory::plain(above.to_owned(), Some((BString::default(), name))))));
    }
    if !is_skill && !is_root && is_laid_out(place, children()?) {
        return Ok(top(place));
    }
    let root = if is_skill { place.parent() } else { Some(place) };
    let Some((root, parent)) = root.and_then(|root| Some((root, root.parent()?))) else {
        return Err(Error::Top { path: bytes(named) });
    };
    let from = real(from).ok().filter(|from| root != from && root.starts_with(from));
    // Runtimes search `.claude/skills`, not `skills`, and they search it in the home directory too.
    let name = parent.file_name().map(|name| bytes(name.as_ref())).unwrap_or_default();
    let is_part = name.starts_with(b".") && is_searched(name.as_bstr());
    let parent = parent.parent().filter(|_| is_part).unwrap_or(parent);
    let above = from.as_deref().filter(|from| parent.starts_with(from)).unwrap_or(parent);
    let path = Base::new(above).below(root).unwrap_or_default();
    let own = path.to_str().map_err(|_| missing("its name is not UTF-8"))?.to_owned();
    let only = is_skill.then(|| (path, place.file_name().map(|name| bytes(name.as_ref())).unwrap_or_default()));
    let store = Arc::new(Directory::plain(above.to_owned(), only));
    Ok(source(above, store).of_root(own))
}

/// Returns whether a directory has an entry of this name. A case-insensitive file system finds `skill.md` as `SKILL.md`, too.
pub fn has_entry(directory: &Path, name: &str) -> bool {
    let is_it = |entry: std::io::Result<std::fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() == name);
    directory.join(name).symlink_metadata().is_ok()
        && std::fs::read_dir(directory).is_ok_and(|mut entries| entries.any(is_it))
}

/// Returns whether a directory has a skills directory.
fn is_skills_parent(place: &Path) -> bool {
    SKILLS.iter().any(|skills| place.join(skills).is_dir())
}

/// Returns whether a runtime searches a directory of this name in a repository.
fn is_searched(name: &BStr) -> bool {
    let profiles = Profiles::default();
    let begins = |root: &str| root.split_once('/').is_some_and(|(first, _)| first == *name);
    let known = profiles.ids().filter_map(|id| profiles.find(id));
    known.flat_map(scope::repository_roots).any(|root| begins(&root.path))
}

/// Returns whether a directory is laid out like a repository: it has one of the usual entries, a hidden directory with skills, or
/// no skill directory.
fn is_laid_out(place: &Path, children: impl Iterator<Item = std::fs::DirEntry>) -> bool {
    let mut has_skills = false;
    for child in children.map(|child| child.path()) {
        let is_hidden = child.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden && SKILLS.iter().any(|name| has_entry(&child, name)) {
            return true;
        }
        has_skills = has_skills || !is_hidden && has_entry(&child, "SKILL.md");
    }
    !has_skills || LAYOUT.iter().any(|name| has_entry(place, name))
}

/// Opens a directory as if it were the top of a repository.
pub(crate) fn top(place: &Path) -> Source {
    source(place, Arc::new(Directory::plain(place.to_owned(), None)))
}

fn source(top: &Path, store: Arc<Directory>) -> Source {
    Source::new(Origin::Directory, None, store, Some(Arc::new(Base::new(top))))
}
