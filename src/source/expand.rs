//! The paths that the pattern of a root may mean.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::find::{self, Finder};
use super::store::{self, Entry, Kind, Spot};
use super::{Error, os_path};
use crate::roots::RootPattern;
use crate::snapshot::Mode;

/// Directories that all patterns together may lead through (ours: 2,000,000, some seconds): a configuration may hold
/// ten thousand patterns, and each of them may search the whole repository.
const STEPS: u64 = 2_000_000;

/// Bytes of the paths that one pattern may mean (ours: 16 MiB, some 200,000 paths). Each of them is followed.
const FOUND_BYTES: usize = 16 << 20;

/// One component of a pattern.
enum Component {
    Name(BString),
    Wildcard(GlobMatcher),
    /// `**`: any number of directories.
    Deep,
}

/// The paths that a pattern with wildcards may mean, below the directory of its fixed prefix. Only directories that its
/// components match are entered, and each of them once.
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
    let top = search.behind([0]);
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

/// The numbers of the components that may match next.
type States = BTreeSet<usize>;

/// A directory that was entered, as read and as seen, and what of it is still to be entered. Paths are put together on
/// the way down: trees that share their children have more of them than there is memory.
struct Level {
    spot: Spot,
    seen: BString,
    ahead: Vec<(Entry, States)>,
}

/// A search for the directories that the components behind a fixed prefix match.
struct Search {
    components: Vec<Component>,
    found: BTreeSet<BString>,
    found_bytes: usize,
}

impl Search {
    /// The states that these lead to without a step down: `**` may stand for no directory.
    fn behind(&self, states: impl IntoIterator<Item = usize>) -> States {
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
                // What nothing can stand at is not looked at again.
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

    /// The components from one on, where all of them are names: nothing has to be listed to know where they lead.
    fn names_from(&self, state: usize) -> Option<Vec<&BString>> {
        let mut names = Vec::new();
        for component in &self.components[state..] {
            let Component::Name(name) = component else { return None };
            names.push(name);
        }
        Some(names)
    }

    /// The states behind an entry. Neither `**` nor what follows it leads through a link.
    fn next(&self, states: &States, entry: &Entry) -> States {
        let is_directory = entry.kind == Kind::Known(Mode::Directory);
        let step = |state: &usize| match &self.components[*state] {
            Component::Deep => (is_directory && !is_left_out(entry.name.as_bstr())).then_some(*state),
            Component::Name(name) => (*name == entry.name).then_some(state + 1),
            Component::Wildcard(matcher) => matcher.is_match(os_path(entry.name.as_bstr())).then_some(state + 1),
        };
        self.behind(states.iter().filter_map(step))
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
