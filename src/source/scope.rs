//! Directories and texts that are named outside any repository: what of them is the root.
#![allow(clippy::disallowed_methods, reason = "this looks at the directory that was named")]

use std::path::Path;
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::base::Base;
use super::directory::Directory;
use super::{Content, Entry, Error, Source};
use crate::name;
use crate::roots::{self, RootPattern, RootSet};
use crate::skill::Skill;
use crate::snapshot::Origin;

/// What a directory has that is laid out like a repository.
const LAYOUT: &[&str] = &[".symphony/skills", ".agent/skills", "skilltree.toml", "WORKFLOW.md"];

/// The longest name of a directory (NAME_MAX of Linux, 255 bytes).
const NAME_BYTES: usize = 255;

/// Opens a directory that lies in no repository. Its files have the paths that a reader would type in `from`, where it
/// lies below that; else they begin with the name of the root.
pub(super) fn directory(from: &Path, named: &Path) -> Result<Source, Error> {
    let bytes = |path: &Path| gix::path::into_bstr(path).map(|path| path.into_owned()).unwrap_or_default();
    let missing = |reason: &str| Error::Unreadable { path: bytes(named), reason: reason.to_owned() };
    let real = |path: &Path| std::fs::canonicalize(path);
    let place = real(&from.join(named)).map_err(|_| missing("it is not there"))?;
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
    Ok(Source { store, own: Some(own), ..top(above) })
}

/// A directory that is read as a repository is.
pub(super) fn top(place: &Path) -> Source {
    let store = Arc::new(Directory::plain(place.to_owned(), None));
    Source {
        origin: Origin::Directory,
        time: None,
        store,
        base: Some(Base::new(place)),
        own: None,
        volumes: Vec::new(),
    }
}

/// One SKILL.md without a path. What is shown in its place names it as far as its first lines do.
pub(super) fn standard_input(text: Vec<u8>) -> Source {
    let name = text.lines().take(100).find_map(|line| line.strip_prefix(b"name:"));
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = name.map(|name| name.trim().trim_with(|quote| matches!(quote, '"' | '\'')));
    let is_name = |name: &&[u8]| (1..=NAME_BYTES).contains(&name.len()) && name.iter().all(is_plain);
    let name = name.filter(is_name).unwrap_or(b"skill");
    let path: BString = [b"stdin/", name, b"/SKILL.md"].concat().into();
    let source = super::memory(Origin::StandardInput, vec![Entry { path, content: Content::File(text) }]);
    Source { own: Some("stdin".to_owned()), ..source }
}

/// The directory of a skill on standard input is not known: it is taken to be the one that its name asks for, and none where
/// no directory could be called so, so that nothing is said about a directory that nobody named.
pub(super) fn forget_directories(skills: &mut [Skill]) {
    for skill in skills {
        let name = skill.name().filter(|name| name::is_well_formed(name)).unwrap_or_default();
        skill.directory = name.into();
    }
}

/// The patterns of a source that is a root itself: those that somebody asked for below it, else the root. No character
/// of its path is a wildcard.
pub(super) fn roots(own: &str, set: &RootSet) -> RootSet {
    let own = globset::escape(own);
    let asked = set.patterns.iter().filter(|pattern| pattern.configured);
    let mut patterns: Vec<RootPattern> =
        asked.map(|pattern| RootPattern { glob: format!("{own}/{}", pattern.glob), ..pattern.clone() }).collect();
    if patterns.is_empty() {
        let profile = "agentskills".to_owned();
        patterns.push(RootPattern { glob: own, profile, depth: None, configured: true });
    }
    RootSet { patterns, near: Vec::new(), ..set.clone() }
}
