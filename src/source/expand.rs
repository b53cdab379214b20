//! The paths that the pattern of a root may mean.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::find::{self, Finder};
use super::store::{self, Kind, Spot};
use super::{Error, os_path};
use crate::roots::RootPattern;
use crate::snapshot::Mode;

/// Directories that all patterns together may lead through (ours: 2,000,000, some seconds): a configuration may hold
/// ten thousand patterns, and each of them may search the whole repository.
const STEPS: u64 = 2_000_000;

/// One component of a pattern.
enum Component {
    Name(BString),
    Wildcard(GlobMatcher),
    /// `**`: any number of directories.
    Deep,
}

/// The paths that a pattern with wildcards may mean, below the directory of its fixed prefix. Only directories that its
/// components match are entered.
pub(super) fn candidates(
    finder: &mut Finder<'_>,
    pattern: &RootPattern,
    start: Spot,
    limit: u64,
    steps: &mut u64,
) -> Result<Vec<BString>, Error> {
    let matcher = pattern
        .matcher()
        .map_err(|error| Error::Pattern { pattern: pattern.glob.clone(), reason: error.kind().to_string() })?;
    let fixed = BString::from(pattern.fixed_prefix());
    let rest = &pattern.glob[fixed.len()..];
    let mut search = Search { components: components(rest.trim_start_matches('/')), ..Search::default() };
    search.ahead.push((start, fixed.clone(), 0));
    let mut visited = 0;
    while let Some((directory, seen, number)) = search.ahead.pop() {
        visited += 1;
        if visited > limit {
            return Err(Error::TooMany { root: fixed, limit });
        }
        *steps += 1;
        if *steps > STEPS {
            return Err(Error::TooWide { limit: STEPS });
        }
        search.enter(finder, directory, seen, number)?;
    }
    search.found.retain(|path| matcher.is_match(os_path(path.as_bstr())));
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
                Component::Wildcard(matcher) if !matcher.is_match(os_path(entry.name.as_bstr())) => {}
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
