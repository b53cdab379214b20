//! Roots in their order: the two defaults, those of the file, and those of the command line.

use std::collections::{BTreeMap, BTreeSet};

use super::paths;
use super::workflow::Workflow;
use skilltree_runtimes::profile::Profiles;
use skilltree_runtimes::scope;
use skilltree_skills::roots::{self, Discovery, RootPattern, RootSet};

/// Default root of Symphony (Symphony issue 87: `agent.skills.path`).
const SYMPHONY: (&str, &str) = (".symphony/skills", "symphony");

/// Default root of the open standard.
const AGENTSKILLS: (&str, &str) = (".agent/skills", DEFAULT_PROFILE);

/// Profile of a root without an explicit one.
const DEFAULT_PROFILE: &str = "agentskills";

/// A requested root.
#[derive(Clone, Debug)]
pub(super) struct RequestedRoot {
    /// Normalized path or glob.
    pub(super) glob: String,
    /// Known profile, if given.
    pub(super) profile: Option<String>,
}

/// Returns the default roots and those of the profile of a prompt. The path of WORKFLOW.md replaces Symphony's default.
pub(super) fn defaults(workflow: &Workflow, profiles: &Profiles, rendered: Option<&str>) -> Vec<RootPattern> {
    let mut roots = Vec::new();
    match &workflow.path {
        Some(path) => roots.push(pattern(path, SYMPHONY.1, true, profiles)),
        None => roots.push(pattern(SYMPHONY.0, SYMPHONY.1, false, profiles)),
    }
    if roots[0].glob != AGENTSKILLS.0 {
        roots.push(pattern(AGENTSKILLS.0, AGENTSKILLS.1, false, profiles));
    }
    let profile = rendered.and_then(|id| profiles.find(id));
    for path in profile.and_then(|profile| profile.prompt.as_ref()).iter().flat_map(|prompt| &prompt.roots) {
        let glob = paths::root(path).ok().filter(|glob| glob != SYMPHONY.0);
        if let (Some(profile), Some(glob)) = (profile, glob)
            && roots.iter().all(|root| root.glob != glob)
        {
            roots.push(pattern(&glob, &profile.id, false, profiles));
        }
    }
    roots
}

/// Adds roots in order. An existing root keeps its position, becomes configured, and takes the given profile.
pub(super) fn add(roots: &mut Vec<RootPattern>, asked: impl IntoIterator<Item = RequestedRoot>, profiles: &Profiles) {
    let mut places: BTreeMap<String, usize> = roots.iter().map(|root| root.glob.clone()).zip(0..).collect();
    for RequestedRoot { glob, profile } in asked {
        match places.get(&glob) {
            Some(&place) => {
                let profile = profile.unwrap_or_else(|| roots[place].profile.clone());
                roots[place] = pattern(&glob, &profile, true, profiles);
            }
            None => {
                places.insert(glob.clone(), roots.len());
                roots.push(pattern(&glob, profile.as_deref().unwrap_or(DEFAULT_PROFILE), true, profiles));
            }
        }
    }
}

/// Adds directories that were found and are in no root.
pub(super) fn add_found(roots: &mut Vec<RootPattern>, found: &[String], profiles: &Profiles) {
    for path in found {
        let glob = globset::escape(path);
        roots.push(RootPattern { discovered: true, ..pattern(&glob, DEFAULT_PROFILE, false, profiles) });
    }
}

/// Adds the directories that runtimes search in a repository, and the discovery of those in packages.
pub(super) fn discover(set: &mut RootSet, profiles: &Profiles) {
    let searched = profiles.ids().filter_map(|id| profiles.find(id)).flat_map(scope::repository_roots);
    let paths = searched.filter_map(|known| roots::normalise(&known.path)).filter(|path| !path.starts_with("**"));
    let known: BTreeSet<String> = paths.collect();
    let globs: BTreeSet<String> = set.patterns.iter().map(|root| root.glob.clone()).collect();
    let more = known.iter().filter(|path| path.starts_with('.') && !globs.contains(*path));
    let more = more.map(|path| RootPattern { discovered: true, ..pattern(path, DEFAULT_PROFILE, false, profiles) });
    let patterns = more.collect();
    set.discovery = Some(Discovery { known, patterns });
}

/// Returns directories that may be misspelled roots: root names with and without an `s`, and the directories that
/// targets read.
pub(super) fn near(roots: &[RootPattern], targets: &[String], profiles: &Profiles) -> Vec<String> {
    let named = roots.iter().filter(|root| !root.is_glob());
    let targets = targets.iter().filter_map(|target| profiles.find(target));
    let looked_into = targets.flat_map(scope::repository_roots).filter_map(|known| roots::normalise(&known.path));
    let mut near: BTreeSet<String> = named.flat_map(|root| similar_spellings(&root.glob)).chain(looked_into).collect();
    let globs: BTreeSet<&str> = roots.iter().map(|root| root.glob.as_str()).collect();
    near.retain(|path| !roots::has_wildcard(path) && !globs.contains(path.as_str()));
    near.into_iter().collect()
}

/// Returns a path with and without a trailing `s` on `skills`, and on the parent directory if that begins with a dot.
fn similar_spellings(path: &str) -> Vec<String> {
    let (above, last) = path.rsplit_once('/').unwrap_or(("", path));
    let other = |name: &str| name.strip_suffix('s').map_or_else(|| format!("{name}s"), str::to_owned);
    let lasts =
        if matches!(last, "skill" | "skills") { vec![last.to_owned(), other(last)] } else { return Vec::new() };
    let (top, parent) = above.rsplit_once('/').unwrap_or(("", above));
    let parents =
        if parent.starts_with('.') { vec![parent.to_owned(), other(parent)] } else { vec![parent.to_owned()] };
    let joined = |parent: &String, last: &String| {
        let parts = [top, parent.as_str(), last.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    };
    parents.iter().flat_map(|parent| lasts.iter().map(|last| joined(parent, last)).collect::<Vec<_>>()).collect()
}

fn pattern(glob: &str, profile: &str, configured: bool, profiles: &Profiles) -> RootPattern {
    let depth = profiles.find(profile).and_then(|profile| profile.loads.depth);
    RootPattern { glob: glob.to_owned(), profile: profile.to_owned(), depth, configured, discovered: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_with_similar_spellings() {
        let profiles = Profiles::default();
        let roots = defaults(&Workflow::default(), &profiles, None);
        let expected = [
            ".agent/skill",
            ".agents/skill",
            ".agents/skills",
            ".symphony/skill",
            ".symphonys/skill",
            ".symphonys/skills",
        ];
        assert_eq!(near(&roots, &[], &profiles), expected);
        assert!(near(&roots, &["claude-code".to_owned()], &profiles).contains(&".claude/skills".to_owned()));
        assert_eq!(similar_spellings("team/library"), [""; 0]);
        assert_eq!(similar_spellings("a/team/skills"), ["a/team/skills", "a/team/skill"]);
    }
}
