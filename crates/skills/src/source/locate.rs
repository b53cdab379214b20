//! From patterns to roots: the directories that they name, and the obstacle if a path is not a directory.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::find::{Finder, PATH_BYTES};
use super::store::{self, Content, Kind, Spot};
use super::{Error, expand};
use crate::roots::{self, Root, RootId, RootPattern, RootSet};
use crate::snapshot::{Body, File, Mode, ObjectId, Resolution, Role, State};

/// The profile of a discovered root.
const DISCOVERED: &str = "agentskills";

/// A root, its directory, and the entries that its path passes.
pub(super) struct Located {
    pub root: Root,
    /// Its directory, if it exists.
    pub directory: Option<Spot>,
    /// The root and the links of its path, or the entry that blocks it.
    pub files: Vec<File>,
}

/// Returns the roots that the patterns name, by pattern, then by path, and then the discovered ones. A missing default root is
/// skipped; a missing configured root is kept with a file that describes the obstacle. Roots that lead to one directory are one.
pub(super) fn roots(
    finder: &mut Finder<'_>,
    set: &RootSet,
    discovered: impl IntoIterator<Item = BString>,
) -> Result<Vec<Located>, Error> {
    let mut taken = BTreeSet::new();
    let mut located = Vec::new();
    let mut steps = 0;
    let known = set.discovery.iter().flat_map(|discovery| &discovery.patterns);
    let patterns: Vec<&RootPattern> = set.patterns.iter().chain(known).collect();
    for (number, &pattern) in (0u32..).zip(&patterns) {
        let mut found = BTreeMap::new();
        for path in candidates(finder, pattern, set.files, &mut steps)? {
            let place = locate(finder, path.as_bstr())?;
            let place = if pattern.discovered { place.without_ignored(finder)? } else { place };
            if !place.is_nothing(pattern) && !place.is_of_another_purpose(finder, pattern, path.as_bstr()) {
                found.insert(path, place);
            }
        }
        if found.is_empty() && pattern.configured {
            let path = BString::from(pattern.glob.as_str());
            let place = obstacle(finder, pattern)?;
            found.insert(path, place);
        }
        found.retain(|path, _| taken.insert(path.clone()));
        located.extend(found.into_iter().map(|(path, place)| (pattern.root(number, path.as_bstr()), place)));
    }
    for path in discovered {
        if taken.insert(path.clone()) {
            let place = locate(finder, path.as_bstr())?.without_ignored(finder)?;
            let pattern = patterns.len() as u32;
            located.push((
                Root { path, profile: DISCOVERED.to_owned(), pattern, discovered: true, ..Root::default() },
                place,
            ));
        }
    }
    let is_elsewhere = |root: &Root, place: &Place| {
        let real = place.directory.as_ref().map_or(&root.path, |directory| &directory.path);
        roots::is_within_any(real.as_bstr(), &set.elsewhere)
    };
    located.retain(|(root, place)| !is_elsewhere(root, place));
    let located = one_per_directory(located).into_iter();
    Ok((0u32..).map(RootId).zip(located).map(|(id, (root, place))| place.into_located(id, root)).collect())
}

/// Merges roots that lead to the same directory: the one without links in its path stays, and the others are its aliases.
fn one_per_directory(located: Vec<(Root, Place)>) -> Vec<(Root, Place)> {
    let real = |place: &Place| place.directory.as_ref().map(|directory| directory.path.clone());
    let mut keeper: BTreeMap<BString, usize> = BTreeMap::new();
    for (number, (root, place)) in located.iter().enumerate() {
        let Some(real) = real(place) else { continue };
        if root.path == real {
            keeper.insert(real, number);
        } else {
            keeper.entry(real).or_insert(number);
        }
    }
    let keepers: Vec<Option<usize>> =
        located.iter().map(|(_, place)| real(place).and_then(|real| keeper.get(&real).copied())).collect();
    let mut kept: BTreeMap<usize, (Root, Place)> = BTreeMap::new();
    let mut aliases = Vec::new();
    for ((number, located), keeper) in located.into_iter().enumerate().zip(keepers) {
        match keeper.filter(|&keeper| keeper != number) {
            Some(keeper) => aliases.push((keeper, located)),
            None => {
                kept.insert(number, located);
            }
        }
    }
    for (keeper, (alias, place)) in aliases {
        let Some((root, kept)) = kept.get_mut(&keeper) else { continue };
        root.discovered &= alias.discovered;
        root.configured |= alias.configured;
        root.aliases.push(alias.path);
        if !alias.discovered {
            kept.files.extend(place.files.into_iter().filter(|file| matches!(file.body, Body::Symlink { .. })));
        }
    }
    // A link into another root leads to skills that are checked there.
    let paths: BTreeSet<BString> = kept.values().map(|(root, _)| root.path.clone()).collect();
    let is_link = |root: &Root, real: &BString| root.discovered && root.path != *real;
    kept.retain(|_, (root, place)| {
        !real(place).is_some_and(|real| is_link(root, &real) && roots::is_within_any(real.as_bstr(), &paths))
    });
    kept.into_values().collect()
}

/// Returns the paths that a pattern names: itself, or the matches of its wildcards below its fixed prefix.
fn candidates(
    finder: &mut Finder<'_>,
    pattern: &RootPattern,
    limit: u64,
    steps: &mut u64,
) -> Result<Vec<BString>, Error> {
    if !pattern.is_glob() {
        return Ok(vec![pattern.glob.as_str().into()]);
    }
    let fixed = BString::from(pattern.fixed_prefix());
    let start = if fixed.is_empty() { Some(finder.top()) } else { locate(finder, fixed.as_bstr())?.directory };
    start.map_or_else(|| Ok(Vec::new()), |start| expand::candidates(finder, pattern, start, limit, steps))
}

/// What a path leads to.
struct Place {
    directory: Option<Spot>,
    files: Vec<File>,
}

impl Place {
    /// Returns whether the place can be skipped: nothing exists there, or a wildcard matched a file.
    fn is_nothing(&self, pattern: &RootPattern) -> bool {
        let is_file = |file: &File| {
            matches!(&file.body, Body::NotRead | Body::Special | Body::Symlink { resolution: Resolution::File(_), .. })
        };
        self.files.is_empty() || (pattern.is_glob() && self.directory.is_none() && self.files.iter().all(is_file))
    }

    /// Returns whether a file that has the name of a directory above a default root is a file on purpose, such as `.clinerules` with
    /// rules: it is not one line with the path of a directory, as Git writes a link where there are none.
    fn is_of_another_purpose(&self, finder: &mut Finder<'_>, pattern: &RootPattern, root: &BStr) -> bool {
        let file = self.files.last().filter(|file| file.path != root && file.body == Body::NotRead);
        let Some(file) = file.filter(|_| !pattern.configured && self.directory.is_none()) else { return false };
        match finder.content(&Spot { path: file.path.clone(), id: file.id }, PATH_BYTES as u64) {
            Ok(Content::Bytes { bytes, .. }) => {
                let text = bytes.trim_ascii();
                text.is_empty() || text.iter().any(u8::is_ascii_whitespace)
            }
            Ok(Content::TooLarge { .. }) => true,
            Err(_) => false,
        }
    }

    /// Drops the directory that a link leads to if Git ignores the skills in it: no clone has them.
    fn without_ignored(mut self, finder: &mut Finder<'_>) -> Result<Self, Error> {
        let Some(directory) = &self.directory else { return Ok(self) };
        let Some(Body::Symlink { resolution, .. }) = self.files.last_mut().map(|file| &mut file.body) else {
            return Ok(self);
        };
        let entries = finder.children(directory)?;
        let inside = entries.iter().filter(|entry| entry.kind == Kind::Known(Mode::Directory));
        let states = inside.map(|entry| finder.skill_state(&directory.child(entry)));
        let states: Vec<State> = Error::collect(states.collect())?.into_iter().flatten().collect();
        if !states.is_empty() && states.iter().all(|&state| state == State::Ignored) {
            *resolution = Resolution::Ignored;
            self.directory = None;
        }
        Ok(self)
    }

    fn into_located(mut self, id: RootId, root: Root) -> Located {
        // The repository's root always exists, and has no entry.
        if root.path.is_empty() {
            self.files.clear();
        } else if self.files.is_empty() {
            self.files.push(File::new(root.path.clone(), Role::Root, None, Body::Absent));
        }
        for file in &mut self.files {
            file.root = Some(id);
        }
        Located { root, directory: self.directory, files: self.files }
    }
}

/// Follows a path component by component. Links are followed by name; the first component that does not lead to a
/// directory ends the search.
fn locate(finder: &mut Finder<'_>, path: &BStr) -> Result<Place, Error> {
    let mut directory = finder.top();
    let mut files = Vec::new();
    let mut seen = BString::default();
    let mut last_is_link = false;
    for name in path.split_str(b"/").filter(|name| !name.is_empty()) {
        seen = store::join(seen.as_bstr(), name.as_bstr());
        let Some(entry) = finder.entry(&directory, name.as_bstr())? else {
            return Ok(Place { directory: None, files: Vec::new() });
        };
        let spot = directory.child(&entry);
        let mut file = |body, id: Option<ObjectId>| {
            let state = entry.state;
            files.push(File { id, state, ..File::new(seen.clone(), Role::Root, None, body) });
        };
        last_is_link = entry.kind == Kind::Known(Mode::Link);
        match entry.kind {
            Kind::Known(Mode::Directory) => {
                directory = spot;
                continue;
            }
            Kind::Known(Mode::Link) => {
                let link = finder.follow(&spot)?;
                let target = match &link.resolution {
                    Resolution::Directory(path) => finder.directory(path.as_bstr())?,
                    _ => None,
                };
                file(Body::Symlink { target: link.target, resolution: link.resolution }, link.id);
                if let Some(target) = target {
                    directory = target;
                    continue;
                }
            }
            Kind::Known(Mode::Submodule) => file(Body::Submodule, entry.id),
            Kind::Unmerged => file(Body::Unmerged, None),
            Kind::Special => file(Body::Special, None),
            Kind::Known(Mode::File | Mode::Executable) => file(Body::NotRead, entry.id),
        }
        return Ok(Place { directory: None, files });
    }
    if !last_is_link {
        let through = (directory.path != seen).then(|| directory.path.clone());
        files.push(File { through, ..File::new(seen, Role::Root, None, Body::Directory) });
    }
    Ok(Place { directory: Some(directory), files })
}

/// Returns the obstacle of a configured pattern that named no root: a component of its fixed part, or an absent file.
fn obstacle(finder: &mut Finder<'_>, pattern: &RootPattern) -> Result<Place, Error> {
    let fixed = pattern.fixed_prefix();
    if !pattern.is_glob() || fixed.is_empty() {
        return Ok(Place { directory: None, files: Vec::new() });
    }
    let mut place = locate(finder, fixed.as_bytes().as_bstr())?;
    if place.directory.take().is_some() {
        place.files.clear();
    }
    Ok(place)
}
