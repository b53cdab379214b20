//! From patterns to roots: which directories they name, and what stands in the way of those that are none.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::Error;
use super::find::{self, Finder};
use super::store::{self, Kind, Spot};
use crate::roots::{Root, RootId, RootPattern, RootSet};
use crate::snapshot::{Body, File, Mode, ObjectId, Resolution, Role};

/// A root, the directory that its skills are read from, and what its path led over.
pub(super) struct Located {
    pub root: Root,
    /// Where its entries are, when it is there.
    pub directory: Option<Spot>,
    /// The root and the links of its path, or what stands in its way.
    pub files: Vec<File>,
}

/// The roots that the patterns name, in the order of patterns and then of paths. A default root that does not exist
/// is left out; one that somebody asked for is kept, with a file that says what stands at its place.
pub(super) fn roots(finder: &mut Finder<'_>, set: &RootSet) -> Result<Vec<Located>, Error> {
    let mut taken = BTreeSet::new();
    let mut located = Vec::new();
    for (number, pattern) in (0u32..).zip(&set.patterns) {
        let mut found = BTreeMap::new();
        for path in candidates(finder, pattern, set.files)? {
            let place = locate(finder, path.as_bstr())?;
            if !place.is_nothing(pattern) {
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
    Ok((0u32..).map(RootId).zip(located).map(|(id, (root, place))| place.into_located(id, root)).collect())
}

/// What a path led to.
struct Place {
    directory: Option<Spot>,
    files: Vec<File>,
}

impl Place {
    /// Whether there is no reason to speak of a root: nothing stands there, or what a wildcard met is a file.
    fn is_nothing(&self, pattern: &RootPattern) -> bool {
        let is_file =
            |file: &File| matches!(&file.body, Body::NotRead | Body::Symlink { resolution: Resolution::File(_), .. });
        self.files.is_empty() || (pattern.is_glob() && self.directory.is_none() && self.files.iter().all(is_file))
    }

    fn into_located(mut self, id: RootId, root: Root) -> Located {
        if self.files.is_empty() {
            self.files.push(File::new(root.path.clone(), Role::Root, None, Body::Absent));
        }
        for file in &mut self.files {
            file.root = Some(id);
        }
        Located { root, directory: self.directory, files: self.files }
    }
}

/// Goes down to a path component by component. Links are followed by name; the first component that is no directory
/// and leads to none ends the way.
fn locate(finder: &mut Finder<'_>, path: &BStr) -> Result<Place, Error> {
    let mut directory = finder.top();
    let mut files = Vec::new();
    let mut seen = BString::default();
    let mut last_is_link = false;
    for name in path.split_str(b"/") {
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
                file(Body::Symlink { target: link.target, resolution: link.resolution }, Some(link.id));
                if let Some(target) = target {
                    directory = target;
                    continue;
                }
            }
            Kind::Known(Mode::Submodule) => file(Body::Submodule, entry.id),
            Kind::Unmerged => file(Body::Unmerged, None),
            Kind::Known(Mode::File | Mode::Executable) | Kind::Special => file(Body::NotRead, entry.id),
        }
        return Ok(Place { directory: None, files });
    }
    if !last_is_link {
        let through = (directory.path != seen).then(|| directory.path.clone());
        files.push(File { through, ..File::new(seen, Role::Root, None, Body::Directory) });
    }
    Ok(Place { directory: Some(directory), files })
}

/// What stands in the way of a configured pattern that named no root: a component of its fixed part, or nothing.
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

/// One component of a pattern.
enum Component {
    Name(BString),
    Wildcard(GlobMatcher),
    /// `**`: any number of directories.
    Deep,
}

/// The paths that a pattern may mean. Only directories that its components match are entered.
fn candidates(finder: &mut Finder<'_>, pattern: &RootPattern, limit: u64) -> Result<Vec<BString>, Error> {
    if !pattern.is_glob() {
        return Ok(vec![pattern.glob.as_str().into()]);
    }
    let matcher = pattern
        .matcher()
        .map_err(|error| Error::Pattern { pattern: pattern.glob.clone(), reason: error.kind().to_string() })?;
    let fixed = pattern.fixed_prefix();
    let fixed = BString::from(fixed);
    let Some(start) = (match fixed.is_empty() {
        true => Some(finder.top()),
        false => locate(finder, fixed.as_bstr())?.directory,
    }) else {
        return Ok(Vec::new());
    };
    let rest = &pattern.glob[fixed.len()..];
    let mut search = Search { components: components(rest.trim_start_matches('/')), ..Search::default() };
    search.ahead.push((start, fixed.clone(), 0));
    let mut visited = 0;
    while let Some((directory, seen, number)) = search.ahead.pop() {
        visited += 1;
        if visited > limit {
            return Err(Error::TooMany { root: fixed, limit });
        }
        search.enter(finder, directory, seen, number)?;
    }
    search.found.retain(|path| matcher.is_match(super::os_path(path.as_bstr())));
    Ok(search.found.into_iter().collect())
}

/// A search for the directories that the components behind a fixed prefix match.
#[derive(Default)]
struct Search {
    components: Vec<Component>,
    /// Directories to enter, as read and as seen, and the number of the component to match in them.
    ahead: Vec<(Spot, BString, usize)>,
    /// The steps that were taken, so that two `**` do not take one twice.
    taken: BTreeSet<(BString, usize)>,
    found: BTreeSet<BString>,
}

impl Search {
    fn enter(&mut self, finder: &mut Finder<'_>, directory: Spot, seen: BString, number: usize) -> Result<(), Error> {
        find::within_limit(&seen)?;
        if !self.taken.insert((seen.clone(), number)) {
            return Ok(());
        }
        let names: Option<Vec<&BString>> = self.components[number..]
            .iter()
            .map(|component| if let Component::Name(name) = component { Some(name) } else { None })
            .collect();
        if let Some(names) = names {
            let path = names.into_iter().fold(seen, |path, name| store::join(path.as_bstr(), name.as_bstr()));
            self.found.insert(path);
            return Ok(());
        }
        let is_last = number + 1 == self.components.len();
        for entry in finder.children(&directory)?.iter() {
            let path = store::join(seen.as_bstr(), entry.name.as_bstr());
            let is_directory = entry.kind == Kind::Known(Mode::Directory);
            let may_be_root = is_directory || matches!(entry.kind, Kind::Known(Mode::Link | Mode::Submodule));
            match &self.components[number] {
                Component::Wildcard(matcher) if !matcher.is_match(super::os_path(entry.name.as_bstr())) => {}
                Component::Wildcard(_) if is_last && may_be_root => {
                    self.found.insert(path);
                }
                Component::Name(name) if *name != entry.name => {}
                Component::Wildcard(_) | Component::Name(_) if is_directory => {
                    self.ahead.push((directory.child(entry), path, number + 1));
                }
                Component::Deep if is_directory && !is_left_out(entry.name.as_bstr()) => {
                    if is_last {
                        self.found.insert(path.clone());
                    }
                    self.ahead.push((directory.child(entry), path, number));
                }
                _ => {}
            }
        }
        if matches!(self.components[number], Component::Deep) && !is_last {
            self.ahead.push((directory, seen, number + 1));
        }
        Ok(())
    }
}

/// Directories that `**` does not enter: git's own, and packages that others wrote.
fn is_left_out(name: &BStr) -> bool {
    name == ".git" || name == "node_modules"
}

/// The components of a pattern. Where one of them is no glob by itself, as in `{a/b,c}/skills`, everything is searched.
fn components(pattern: &str) -> Vec<Component> {
    let component = |text: &str| match text {
        "**" => Some(Component::Deep),
        _ if !text.contains(['*', '?', '[', '{', '}', '\\']) => Some(Component::Name(text.into())),
        _ => Some(Component::Wildcard(GlobBuilder::new(text).literal_separator(true).build().ok()?.compile_matcher())),
    };
    let all: Option<Vec<Component>> = pattern.split('/').map(component).collect();
    all.unwrap_or_else(|| vec![Component::Deep])
}
