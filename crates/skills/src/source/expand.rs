//! Expansion of root patterns to paths.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::find::{self, Finder};
use super::store::{self, Entry, Kind, Spot};
use super::{Error, os_path};
use crate::roots::RootPattern;
use crate::snapshot::Mode;

/// Maximum directories that all patterns together search (ours: 2,000,000, some seconds): a configuration may have ten
/// thousand patterns, and each may search the whole repository.
const STEPS: u64 = 2_000_000;

/// Maximum bytes of the paths that one pattern matches (ours: 16 MiB, about 200,000 paths). Each path is followed.
const FOUND_BYTES: usize = 16 << 20;

/// One component of a pattern.
enum Component {
    Name(BString),
    Wildcard(GlobMatcher),
    /// `**`: any number of directories.
    Deep,
}

/// Returns the paths that a pattern with wildcards may match, below its fixed prefix. Only directories that match its
/// components are entered, each once.
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
    let components = components(pattern.glob[fixed.len()..].trim_start_matches('/'));
    let mut search = Search { components, found: BTreeSet::new(), found_bytes: 0 };
    let top = search.closure([0]);
    let mut levels = vec![search.enter(finder, start, fixed.clone(), top)?];
    let mut met = levels[0].ahead.len() as u64;
    while let Some(level) = levels.last_mut() {
        if met > limit {
            return Err(Error::TooMany { root: fixed, limit });
        }
        let Some((entry, states)) = level.ahead.pop() else {
            levels.pop();
            continue;
        };
        *steps += 1;
        if *steps > STEPS {
            return Err(Error::TooWide { limit: STEPS });
        }
        let seen = store::join(level.seen.as_bstr(), entry.name.as_bstr());
        let spot = level.spot.child(&entry);
        let level = search.enter(finder, spot, seen, states)?;
        met += level.ahead.len() as u64;
        levels.push(level);
    }
    search.found.retain(|path| matcher.is_match(os_path(path.as_bstr())));
    Ok(search.found.into_iter().collect())
}

/// The indexes of the components that may match next.
type States = BTreeSet<usize>;

/// A directory that was entered, and its entries still to enter. Paths are built on the way down: trees that share
/// children have more paths than fit in memory.
struct Level {
    spot: Spot,
    seen: BString,
    ahead: Vec<(Entry, States)>,
}

/// A search for the directories that match the components after a fixed prefix.
struct Search {
    components: Vec<Component>,
    found: BTreeSet<BString>,
    found_bytes: usize,
}

impl Search {
    /// Returns these states and those reachable without entering a directory: `**` also matches no directory.
    fn closure(&self, states: impl IntoIterator<Item = usize>) -> States {
        let mut all = States::new();
        for mut state in states {
            all.insert(state);
            while matches!(self.components.get(state), Some(Component::Deep)) {
                state += 1;
                all.insert(state);
            }
        }
        all
    }

    fn enter(&mut self, finder: &mut Finder<'_>, spot: Spot, seen: BString, states: States) -> Result<Level, Error> {
        find::within_limit(&seen)?;
        let entries = finder.children(&spot)?;
        let mut search = States::new();
        for state in states {
            match self.names_from(state).as_deref() {
                // Skip a name that does not exist here.
                Some([first, ..]) if store::named(&entries, first.as_bstr()).is_empty() => {}
                Some([]) => {}
                Some(names) => {
                    let add = |path: BString, name: &&BString| store::join(path.as_bstr(), name.as_bstr());
                    let path = names.iter().fold(seen.clone(), add);
                    self.find(path)?;
                }
                None => {
                    search.insert(state);
                }
            }
        }
        let mut ahead = Vec::new();
        for entry in entries.iter().filter(|_| !search.is_empty()) {
            let is_directory = entry.kind == Kind::Known(Mode::Directory);
            if !is_directory && !matches!(entry.kind, Kind::Known(Mode::Link | Mode::Submodule)) {
                continue;
            }
            let next = self.next(&search, entry);
            if next.contains(&self.components.len()) {
                self.find(store::join(seen.as_bstr(), entry.name.as_bstr()))?;
            }
            if is_directory && next.iter().any(|state| *state < self.components.len()) {
                ahead.push((entry.clone(), next));
            }
        }
        // The last is taken first.
        ahead.reverse();
        Ok(Level { spot, seen, ahead })
    }

    /// Returns the components from `state` on if all are literal names: then nothing has to be listed.
    fn names_from(&self, state: usize) -> Option<Vec<&BString>> {
        let mut names = Vec::new();
        for component in &self.components[state..] {
            let Component::Name(name) = component else { return None };
            names.push(name);
        }
        Some(names)
    }

    /// Returns the states after an entry. `**` and the component after it do not follow links.
    fn next(&self, states: &States, entry: &Entry) -> States {
        let is_directory = entry.kind == Kind::Known(Mode::Directory);
        let step = |state: &usize| match &self.components[*state] {
            Component::Deep => (is_directory && !is_skipped(entry.name.as_bstr())).then_some(*state),
            Component::Name(name) => (*name == entry.name).then_some(state + 1),
            Component::Wildcard(matcher) => matcher.is_match(os_path(entry.name.as_bstr())).then_some(state + 1),
        };
        self.closure(states.iter().filter_map(step))
    }

    fn find(&mut self, path: BString) -> Result<(), Error> {
        self.found_bytes += path.len();
        if self.found_bytes > FOUND_BYTES {
            return Err(Error::TooLongTogether { limit: FOUND_BYTES });
        }
        self.found.insert(path);
        Ok(())
    }
}

/// Returns whether a search skips a directory: git's own, and packages of others.
pub fn is_skipped(name: &BStr) -> bool {
    name == ".git" || name == "node_modules"
}

/// Splits a pattern into components. If one is not a valid glob by itself, as in `{a/b,c}/skills`, everything is
/// searched.
fn components(pattern: &str) -> Vec<Component> {
    let component = |text: &str| match text {
        "**" => Some(Component::Deep),
        _ if !text.contains(['*', '?', '[', '{', '}', '\\']) => Some(Component::Name(text.into())),
        _ => Some(Component::Wildcard(GlobBuilder::new(text).literal_separator(true).build().ok()?.compile_matcher())),
    };
    let all: Option<Vec<Component>> = pattern.split('/').map(component).collect();
    all.unwrap_or_else(|| vec![Component::Deep])
}
