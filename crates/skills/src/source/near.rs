//! Skills directories next to the roots that the configuration names as candidates. Each candidate and its subdirectories are
//! listed, up to one with a SKILL.md: the cost does not depend on the size of the rest of the repository.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::store::{Content, Entry, Kind, Spot};
use super::{CONFIG_BYTES, Error};
use crate::agents;
use crate::roots::{self, Discovery, RootSet};
use crate::skill::{self, is_flat_name};
use crate::snapshot::{Body, File, Mode, Role, State};
use skilltree_front_matter::{Bounds, text};

/// The directory around those of agents and commands.
const CLAUDE: &str = ".claude";

/// Limits on a front matter that makes a directory a skills directory.
const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };

/// Returns the candidates that hold skills no root reads. Unreadable directories outside the roots are not errors.
pub(super) fn misses(finder: &mut Finder<'_>, set: &RootSet, read: &BTreeSet<BString>) -> Vec<File> {
    let mut found = Vec::new();
    for path in &set.near {
        let path = BString::from(path.as_str());
        if !is_read(&path, read) && holds_skills(finder, &path).unwrap_or(false) {
            found.push(File::new(path, Role::Near, None, Body::Directory));
        }
    }
    found
}

/// Returns the directories whose names are close to those of agents and commands, and that hold Markdown files.
pub(super) fn definitions(finder: &mut Finder<'_>) -> Result<Vec<File>, Error> {
    let Some(around) = finder.directory(BStr::new(CLAUDE))? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in finder.children(&around)?.iter().filter(|entry| entry.kind == Kind::Known(Mode::Directory)) {
        let directory = around.child(entry);
        let is_near = agents::meant(directory.path.as_bstr()).is_some();
        if is_near && holds_markdown(finder, &directory.path)? {
            found.push(File::new(directory.path, Role::Near, None, Body::Directory));
        }
    }
    Ok(found)
}

/// Returns the directories at the top that runtimes search by name, and those of packages, that hold Markdown files or misnamed
/// files instead of skills.
pub(super) fn flat(
    finder: &mut Finder<'_>,
    discovery: &Discovery,
    set: &RootSet,
    found: &BTreeSet<BString>,
    named: &BTreeSet<BString>,
) -> BTreeSet<BString> {
    let known = discovery.known.iter().filter(|path| !path.contains('*'));
    let known = known.map(|path| (BString::from(path.as_str()), path.starts_with('.')));
    let of_packages = named.iter().map(|path| (path.clone(), text::file_name(path.as_bstr()) == roots::PUBLISHED));
    let mut flat = BTreeSet::new();
    for (path, may_be_flat) in known.chain([(roots::PUBLISHED.into(), false)]).chain(of_packages) {
        if is_read(&path, found) || set.exclude.contains(path.as_bstr()) {
            continue;
        }
        let is_flat = may_be_flat && holds_markdown(finder, &path).unwrap_or(false);
        let is_hidden = path.starts_with(b".");
        if is_flat
            || holds_misnamed(finder, &path).unwrap_or(false)
            || is_hidden && holds_directories(finder, &path).unwrap_or(false)
        {
            flat.insert(path);
        }
    }
    flat
}

/// Returns whether a direct subdirectory has files.
fn holds_directories(finder: &mut Finder<'_>, path: &BString) -> Result<bool, Error> {
    let Some(directory) = finder.directory(path.as_bstr())? else { return Ok(false) };
    let is_own = |entry: &&Entry| {
        matches!(entry.kind, Kind::Known(Mode::File | Mode::Executable)) && entry.state != State::Ignored
    };
    for entry in finder.children(&directory)?.iter().filter(|entry| entry.kind == Kind::Known(Mode::Directory)) {
        if finder.children(&directory.child(entry))?.iter().any(|entry| is_own(&entry)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a direct subdirectory has a skill under another file name.
fn holds_misnamed(finder: &mut Finder<'_>, path: &BString) -> Result<bool, Error> {
    let Some(directory) = finder.directory(path.as_bstr())? else { return Ok(false) };
    let entries = finder.children(&directory)?;
    for entry in entries.iter().filter(|entry| entry.kind == Kind::Known(Mode::Directory)) {
        let inside = directory.child(entry);
        if misnamed(&finder.children(&inside)?).is_some() || holds_named_after(finder, &inside)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the file of a directory that is a skill under another file name.
pub(super) fn misnamed(entries: &[Entry]) -> Option<&BStr> {
    let is_file = |entry: &&Entry| entry.kind != Kind::Known(Mode::Directory) && entry.state != State::Ignored;
    roots::misnamed(entries.iter().filter(is_file).map(|entry| entry.name.as_bstr()))
}

/// Returns whether a directory without a SKILL.md has Markdown that is the skill of the directory.
fn holds_named_after(finder: &mut Finder<'_>, directory: &Spot) -> Result<bool, Error> {
    if roots::is_packaged(text::file_name(directory.path.as_bstr())) {
        return Ok(false);
    }
    let is_text = |entry: &&Entry| {
        let is_file = matches!(entry.kind, Kind::Known(Mode::File | Mode::Executable));
        is_file && entry.state != State::Ignored && entry.name.ends_with(b".md")
    };
    for entry in finder.children(directory)?.iter().filter(is_text) {
        let spot = directory.child(entry);
        if let Content::Bytes { bytes, .. } = finder.content(&spot, CONFIG_BYTES)?
            && skill::is_of_directory(spot.path.as_bstr(), &bytes, BOUNDS)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a directory has a Markdown file that is no page about the directory.
fn holds_markdown(finder: &mut Finder<'_>, path: &BString) -> Result<bool, Error> {
    let Some(directory) = finder.directory(path.as_bstr())? else { return Ok(false) };
    let is_file = |kind: Kind| matches!(kind, Kind::Known(Mode::File | Mode::Executable));
    let is_flat = |entry: &Entry| is_file(entry.kind) && entry.state != State::Ignored && is_flat_name(&entry.name);
    Ok(finder.children(&directory)?.iter().any(is_flat))
}

/// Returns whether a root is this directory, inside it or above it.
fn is_read(path: &BString, roots: &BTreeSet<BString>) -> bool {
    let slashes = path.find_iter(b"/").chain([path.len()]);
    let mut above = slashes.map(|end| BString::from(&path[..end]));
    let below = BString::from([path.as_slice(), b"/"].concat());
    above.any(|directory| roots.contains(&directory))
        || roots.range::<BString, _>(&below..).next().is_some_and(|root| root.starts_with(&below))
}

/// Returns whether a direct subdirectory has a SKILL.md that git does not ignore. Links are not followed: their target
/// may be a root.
fn holds_skills(finder: &mut Finder<'_>, path: &BString) -> Result<bool, Error> {
    let Some(directory) = finder.directory(path.as_bstr())? else { return Ok(false) };
    let entries = finder.children(&directory)?;
    let is_directory = |kind: Kind| kind == Kind::Known(Mode::Directory);
    for entry in entries.iter().filter(|entry| is_directory(entry.kind)) {
        let inside = finder.children(&directory.child(entry))?;
        let is_skill = |name: &BString| roots::is_skill_file(name.as_bstr());
        if inside.iter().any(|inside| is_skill(&inside.name) && inside.state != State::Ignored) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_directories_that_overlap_a_root() {
        let roots = ["a/skills", "b/skills/x", "c", "d/skills-x"].map(BString::from).into_iter().collect();
        let read = |path: &str| is_read(&path.into(), &roots);
        assert!(read("a/skills") && read("b/skills") && read("c/skills"));
        assert!(!read("a/skill") && !read("d/skills") && !read("b/skill"));
    }
}
