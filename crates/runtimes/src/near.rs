//! Misspelled skills directories: the directory that runtimes read, and that a path almost names.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use bstr::{BStr, ByteSlice};

use crate::profile::{Profile, Profiles};
use crate::scope::{precedence, repository_roots};
use skilltree_skills::roots;

/// Maximum length of a compared path, in bytes (ours: 64): no path that a runtime reads is half as long.
const LONGEST: usize = 64;

/// Minimum length of a directory name that may be misspelled: `.roo` and `.pi` are close to many names.
const SHORTEST: usize = 5;

/// Maximum number of differences of two names (ours: 2).
const SLIPS: usize = 2;

/// Characters at the start of a name that people forget or add.
const LEADING: [char; 2] = ['.', '_'];

/// A directory that runtimes read, and that a path almost names.
#[derive(Clone, Debug)]
pub struct Meant<'a> {
    /// Its path from the repository's root.
    pub path: String,
    /// Runtimes that read it, the most used first.
    pub readers: Vec<&'a Profile>,
}

/// Returns the directory that a path probably means: one that differs in one or two letters, in letter case or in the leading dot.
/// `None` if a runtime reads the path itself.
pub fn meant<'a>(path: &BStr, profiles: &'a Profiles) -> Option<Meant<'a>> {
    let path = path.to_str().ok().filter(|path| path.len() <= LONGEST)?;
    let known = || profiles.ids().filter_map(|id| profiles.find(id));
    let own: BTreeSet<Ending> = profiles.own.values().flat_map(|own| endings(&own.profile)).collect();
    if !may_be_misspelled(path, ENDINGS.iter().chain(&own)) {
        return None;
    }
    let reads = |profile: &Profile, path: &str| {
        let known = precedence(profile, path.into()).and_then(|place| repository_roots(profile).nth(place));
        // Any directory may contain `skills`, so only the one at the top counts.
        known.is_some_and(|known| known.path == path || known.path.starts_with('.'))
    };
    let mut best: Option<(usize, u32, String)> = None;
    for profile in known() {
        for root in repository_roots(profile).filter_map(|root| roots::normalise(&root.path)) {
            let Some((distance, renamed)) = distance(path, &root) else { continue };
            let found = (distance, profile.usage_rank.unwrap_or_default(), renamed);
            if best.as_ref().is_none_or(|best| found < *best) && reads(profile, &found.2) {
                best = Some(found);
            }
        }
    }
    // Few paths come so far.
    let (.., meant) = best.filter(|_| !known().any(|profile| reads(profile, path)))?;
    let mut readers: Vec<&Profile> = known().filter(|profile| reads(profile, &meant)).collect();
    readers.sort_by_key(|profile| profile.usage_rank.unwrap_or_default());
    Some(Meant { path: meant, readers })
}

/// The number of names of a directory that runtimes read, and the last one.
type Ending = (usize, String);

/// Those of the built-in profiles.
static ENDINGS: LazyLock<BTreeSet<Ending>> = LazyLock::new(|| {
    let profiles = Profiles::default();
    profiles.ids().filter_map(|id| profiles.find(id)).flat_map(endings).collect()
});

fn endings(profile: &Profile) -> impl Iterator<Item = Ending> {
    let names = |path: &str| path.split('/').filter(|name| !matches!(*name, "" | ".")).count();
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    repository_roots(profile).map(move |root| (names(&root.path), last(&root.path)))
}

/// Returns whether a path may end like a known one, by its last name and by where that one would begin. Most directories do not, and a
/// repository may have many.
fn may_be_misspelled<'e>(path: &str, mut known: impl Iterator<Item = &'e Ending>) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    let begins = |above: usize| above == 0 || names.get(above).is_some_and(|name| name.starts_with('.'));
    let may_end = |(count, last): &Ending| {
        names.len().checked_sub(*count).is_some_and(begins)
            && names.last().is_some_and(|name| slips(name, last).is_some())
    };
    names.len() == 1 && path.contains(['-', '_']) || known.any(may_end)
}

/// Returns how far the end of a path is from a known one, and the path with that end; `None` if it is too far.
fn distance(path: &str, known: &str) -> Option<(usize, String)> {
    if roots::has_wildcard(known) {
        return None;
    }
    let (names, meant) = (path.split('/').count(), known.split('/').count());
    // `.claude-skills` for `.claude/skills`.
    if names == 1 && meant == 2 && path.replace(['-', '_'], "/") == known {
        return Some((1, known.to_owned()));
    }
    let above = names.checked_sub(meant)?;
    let is_hidden = path.split('/').nth(above).is_some_and(|name| name.starts_with('.'));
    if above > 0 && !(is_hidden && known.starts_with('.')) {
        return None;
    }
    let mut total = 0;
    for (name, meant) in path.split('/').skip(above).zip(known.split('/')) {
        total += slips(name, meant)?;
    }
    let renamed = path.split('/').take(above).chain(known.split('/')).collect::<Vec<_>>().join("/");
    (1..=2).contains(&total).then_some((total, renamed))
}

/// Returns a name in lower case without the characters that hide it.
fn bare(name: &str) -> String {
    name.trim_start_matches(LEADING).to_lowercase()
}

/// Returns the number of differences of two names; `None` if they are different words.
fn slips(name: &str, meant: &str) -> Option<usize> {
    if name == meant {
        return Some(0);
    }
    let (typed, known) = (bare(name), bare(meant));
    if typed == known {
        return Some(1);
    }
    let dots = usize::from(name.starts_with('.') != meant.starts_with('.'));
    let most =
        if known.starts_with("skill") && typed.starts_with("sk") && typed.len() <= known.len() { SLIPS } else { 1 };
    // `skills2` is another directory, not a misspelled one.
    let is_numbered = typed.ends_with(|last: char| last.is_ascii_digit());
    let is_alike = known.len() >= SHORTEST && !is_numbered && typed.bytes().next() == known.bytes().next();
    let found = is_alike.then(|| strsim::osa_distance(&typed, &known)).filter(|found| *found <= most);
    found.map(|found| found + dots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_directory_that_a_path_almost_names() {
        let profiles = Profiles::default();
        let paths = [
            (".claude/skill", ".claude/skills"),
            (".claude/Skills", ".claude/skills"),
            (".Claude/skills", ".claude/skills"),
            (".claude/skils", ".claude/skills"),
            (".claude/sklls", ".claude/skills"),
            (".claude/.skills", ".claude/skills"),
            (".cluade/skills", ".claude/skills"),
            (".claud/skills", ".claude/skills"),
            (".claudes/skill", ".claude/skills"),
            (".claude-skills", ".claude/skills"),
            ("claude/skills", ".claude/skills"),
            ("_claude/skills", ".claude/skills"),
            (".codex/skill", ".codex/skills"),
            ("codex/skills", ".codex/skills"),
            (".github/skill", ".github/skills"),
            ("github/skills", ".github/skills"),
            (".gihub/skills", ".github/skills"),
            (".cursor/skill", ".cursor/skills"),
            (".gemini/skill", ".gemini/skills"),
            (".agents/skill", ".agents/skills"),
            ("agents/skills", ".agents/skills"),
            ("apps/web/.claude/skill", "apps/web/.claude/skills"),
            ("Skills", "skills"),
        ];
        for (path, expected) in paths {
            let found = meant(path.into(), &profiles);
            assert_eq!(found.as_ref().map(|meant| meant.path.as_str()), Some(expected), "{path}");
            assert!(found.is_some_and(|meant| !meant.readers.is_empty()), "{path}");
        }
        assert_eq!(meant(".claude/skill".into(), &profiles).unwrap().readers[0].id, "claude-code");
    }

    #[test]
    fn leaves_other_directories_alone() {
        let profiles = Profiles::default();
        let paths = [
            ".claude/skills",
            ".agents/skills",
            ".opencode/skill",
            "docs/skills",
            "docs/claude/skills",
            ".foo/skills",
            ".agency/skills",
            ".claude/agents",
            ".claude/commands",
            "library",
            "still",
            "skilled",
            ".claude/skills2",
            "",
        ];
        for path in paths {
            assert!(meant(path.into(), &profiles).is_none(), "{path}");
        }
        assert!(meant(".claude/skill/".repeat(40).as_str().into(), &profiles).is_none());
    }
}
