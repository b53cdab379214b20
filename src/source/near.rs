//! Directories of skills beside the roots, asked for by name: what is looked at is what the configuration names, a directory
//! of each and the files right in its first directories, however large the repository is.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use super::Error;
use super::find::Finder;
use super::store::Kind;
use crate::roots::{self, RootSet};
use crate::snapshot::{Body, File, Mode, Role, State};

/// Directories that are looked into for a SKILL.md: one that holds none in so many holds something else.
const LOOKED_INTO: usize = 64;

/// The directories that were probably meant as roots, and hold skills that no root reads. What cannot be read outside of the
/// roots is no reason to judge nothing.
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

/// Whether a root is this directory, or lies in it or above it.
fn is_read(path: &BString, roots: &BTreeSet<BString>) -> bool {
    let slashes = path.find_iter(b"/").chain([path.len()]);
    let mut above = slashes.map(|end| BString::from(&path[..end]));
    let below = BString::from([path.as_slice(), b"/"].concat());
    above.any(|directory| roots.contains(&directory))
        || roots.range::<BString, _>(&below..).next().is_some_and(|root| root.starts_with(&below))
}

/// Whether some directory right in this one has a SKILL.md that git does not ignore. No link is followed: what it leads to may
/// be a root.
fn holds_skills(finder: &mut Finder<'_>, path: &BString) -> Result<bool, Error> {
    let Some(directory) = finder.directory(path.as_bstr())? else { return Ok(false) };
    let entries = finder.children(&directory)?;
    let is_directory = |kind: Kind| kind == Kind::Known(Mode::Directory);
    for entry in entries.iter().filter(|entry| is_directory(entry.kind)).take(LOOKED_INTO) {
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
    fn what_a_root_is_or_lies_in_or_holds_is_read() {
        let roots = ["a/skills", "b/skills/x", "c", "d/skills-x"].map(BString::from).into_iter().collect();
        let read = |path: &str| is_read(&path.into(), &roots);
        assert!(read("a/skills") && read("b/skills") && read("c/skills"));
        assert!(!read("a/skill") && !read("d/skills") && !read("b/skill"));
    }
}
