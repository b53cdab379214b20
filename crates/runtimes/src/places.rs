//! Directories that runtimes search in a repository.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use globset::GlobBuilder;

use crate::profile::Profile;
use crate::profile::loads::{self, Start};
use skilltree_front_matter::text;
use skilltree_skills::roots::{self, Owner, Root, RootId};

/// Place of a skills directory among those that a runtime searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rank<'a> {
    /// Directory from which the runtime searches it.
    pub(crate) base: &'a BStr,
    /// Index in the order of precedence.
    pub(crate) place: usize,
    /// Where the search starts.
    from: Start,
}

impl Rank<'_> {
    /// Returns whether the runtime reads another skills directory together with this one.
    pub(crate) fn is_merged_with(&self, other: &Self) -> bool {
        if self.base == other.base {
            // Two matches of one wildcard are alternatives.
            return self.place != other.place;
        }
        let is_on_the_way = |above: &Self, below: &Self| {
            below.from == Start::Upwards
                && matches!(above.from, Start::Top | Start::Upwards)
                && roots::is_within(below.base, above.base)
        };
        is_on_the_way(self, other) || is_on_the_way(other, self)
    }
}

/// Returns whether a runtime reads a skills directory: it is configured for the runtime, the runtime searches it, or the prompt block
/// brings it to a runtime that does not.
pub fn reads(profile: &Profile, root: &Root) -> bool {
    let searches = |path: &BStr| match root.owner {
        Owner::User => of_user(profile, path).is_some(),
        Owner::Repository | Owner::System | Owner::External => precedence(profile, path).is_some(),
    };
    let is_in_block =
        || root.owner == Owner::Repository && profile.prompt.as_ref().is_some_and(|prompt| prompt.lists(root));
    root.profile == profile.id || root.paths().any(searches) || is_in_block()
}

/// Returns whether a runtime finds a skills directory only if it is started in a directory below the top, though nothing shows that it is: a
/// directory `skills` has many uses, and the configuration does not name it.
pub fn is_unlikely(profile: &Profile, root: &Root) -> bool {
    let is_nested = |rank: Rank<'_>| {
        rank.from == Start::WorkingDirectory
            && !rank.base.is_empty()
            && !profile.loads.roots[rank.place].path.starts_with('.')
    };
    let mut ranks = ranks(profile, root).peekable();
    root.discovered && ranks.peek().is_some() && ranks.all(is_nested)
}

/// Returns the skills directories around each one. A manifest makes a directory of skills its own inside another one, which runtimes
/// search all the same.
pub(crate) fn around(roots: &[Root]) -> Vec<Vec<RootId>> {
    let is_own = |root: &&Root| root.owner == Owner::Repository && !root.path.is_empty();
    let known: BTreeMap<&BStr, RootId> = (0u32..)
        .map(RootId)
        .zip(roots)
        .filter(|(_, root)| is_own(root))
        .map(|(id, root)| (root.path.as_bstr(), id))
        .collect();
    let above = |root: &Root| {
        let parents = std::iter::successors(Some(text::parent(root.path.as_bstr())), |path| Some(text::parent(path)));
        parents.take_while(|path| !path.is_empty()).filter_map(|path| known.get(path).copied()).collect()
    };
    roots.iter().map(|root| if is_own(&root) { above(root) } else { Vec::new() }).collect()
}

/// Returns whether a runtime searches one of the skills directories around another one so deep that it comes to its skills.
pub(crate) fn reads_around(profile: &Profile, roots: &[Root], around: &[RootId], inner: &Root) -> bool {
    around.iter().map(|id| &roots[id.index()]).any(|root| {
        let below = inner.path.get(root.path.len()..).unwrap_or_default();
        let depth = below.split_str("/").filter(|name| !name.is_empty()).count() + 1;
        profile.loads.depth.is_none_or(|most| depth <= most as usize) && reads(profile, root)
    })
}

/// Returns the place of a directory of the user among all that a runtime searches. `path` begins with `~/`.
fn of_user(profile: &Profile, path: &BStr) -> Option<usize> {
    profile.loads.roots.iter().position(|known| known.scope == loads::Scope::User && known.path.as_bytes() == path)
}

/// Returns whether a runtime searches a skills directory by its name, other than one that takes any directory.
pub fn searches(profile: &Profile, root: &Root) -> bool {
    let known = |path| precedence(profile, path).and_then(|place| repository_roots(profile).nth(place));
    root.paths().filter_map(known).any(|known| known.path != "**")
}

/// Returns the precedence of a directory among those that a runtime searches in a repository; `None` if it does not
/// search it.
pub fn precedence(profile: &Profile, path: &BStr) -> Option<usize> {
    repository_roots(profile).position(|known| looks_for(known, path))
}

/// How a runtime that starts at the top comes to a skills directory below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Later<'a> {
    /// Not at all: it has to be started below the top.
    Never,
    /// Later, under this condition.
    When(&'a str),
}

/// Returns how a runtime that starts at the top comes to a skills directory that it does not search from there; `None` for one that it
/// searches, and for one that it never searches.
pub fn later<'a>(profile: &'a Profile, root: &Root) -> Option<Later<'a>> {
    let is_known = |known: &&loads::Root| root.paths().any(|path| looks_for(known, path));
    let mut found: Option<Later<'_>> = None;
    for known in repository_roots(profile).filter(|_| root.owner == Owner::Repository).filter(is_known) {
        let way = match (known.from, &known.when) {
            (Start::WorkingDirectory | Start::Upwards, _) => Later::Never,
            (Start::Anywhere, Some(when)) => Later::When(when),
            (Start::Top | Start::Anywhere, _) => return None,
        };
        found = found.max(Some(way));
    }
    let is_at_top = |known: &loads::Root| root.paths().any(|path| path == known.path.as_str());
    found.filter(|_| !repository_roots(profile).any(is_at_top))
}

/// Directories that a runtime searches in a repository, in order of precedence.
pub fn repository_roots(profile: &Profile) -> impl Iterator<Item = &loads::Root> {
    profile.loads.roots.iter().filter(|known| known.scope == loads::Scope::Repository)
}

/// Returns the places of the paths of a skills directory among those that a runtime searches; none if it does not search it or takes
/// any directory. What is the user's belongs to a session at the top.
pub(crate) fn ranks<'r>(profile: &Profile, root: &'r Root) -> impl Iterator<Item = Rank<'r>> {
    root.paths().filter_map(move |path| match root.owner {
        Owner::User => Some(Rank { base: BStr::new(""), place: of_user(profile, path)?, from: Start::Top }),
        Owner::Repository | Owner::System | Owner::External => rank(profile, path),
    })
}

fn rank<'r>(profile: &Profile, path: &'r BStr) -> Option<Rank<'r>> {
    let is_known = |known: &loads::Root| known.scope == loads::Scope::Repository && looks_for(known, path);
    let (place, known) = profile.loads.roots.iter().enumerate().find(|(_, known)| is_known(known))?;
    if known.path.contains("**") {
        return None;
    }
    let base = match known.from {
        Start::Top => b"".as_bstr(),
        Start::WorkingDirectory | Start::Upwards | Start::Anywhere => {
            (0..known.path.split('/').count()).fold(path, |path, _| text::parent(path))
        }
    };
    Some(Rank { base, place, from: known.from })
}

/// Returns whether a runtime may be started in a directory, which ends in a slash: hidden directories hold settings.
fn is_start(directory: &[u8]) -> bool {
    let Some(path) = directory.strip_suffix(b"/") else { return false };
    !text::file_name(path.as_bstr()).starts_with(b".")
}

/// Returns whether a runtime searches a directory.
fn looks_for(known: &loads::Root, path: &BStr) -> bool {
    if !roots::has_wildcard(&known.path) {
        let above = path.strip_suffix(known.path.as_bytes());
        return above.is_some_and(|above| above.is_empty() || (known.from != Start::Top && is_start(above)));
    }
    if known.path == "**" {
        return true;
    }
    // Compiling a pattern is slow, and most directories lack even its fixed part.
    let fixed = known.path.split(['*', '?', '[', '{']).next().unwrap_or_default();
    if !path.contains_str(fixed) {
        return false;
    }
    let pattern = match known.from {
        Start::Top => known.path.clone(),
        Start::WorkingDirectory | Start::Upwards | Start::Anywhere => format!("{{{0},**/{0}}}", known.path),
    };
    let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(path.to_path_lossy()))
}
