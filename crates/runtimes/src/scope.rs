//! Scope: which profiles have to load the skills of each skills directory, and which directories share names.
//!
//! Severities, notes, forecasts and comparisons of names ask here, so that they mean the same runtimes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use crate::packages::{Packages, published};
use crate::places::{self, Rank};
use crate::profile::{Kind, Profile, Profiles};
use skilltree_front_matter::text;
use skilltree_skills::parallel;
use skilltree_skills::roots::{self, Owner, Root, RootId};

pub(crate) use crate::places::ranks;
pub use crate::places::{is_unlikely, precedence, reads, repository_roots, searches};

/// Maximum number of directories above a skills directory in which a runtime is looked up (ours: 64).
const LEVELS: usize = 64;

/// Profiles that have to load the skills of each skills directory.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// Whether `targets` decides.
    is_explicit: bool,
    /// Profiles in scope of any skills directory, sorted by id.
    profiles: Vec<&'a Profile>,
    /// Profiles in scope, by skills directory: indices into `profiles`.
    of_roots: Vec<Vec<usize>>,
    /// Where each profile searches each skills directory, by profile.
    ranks: Vec<BTreeMap<RootId, Vec<Rank<'a>>>>,
    /// Skills directories that share names through a runtime, by skills directory.
    neighbors: Vec<BTreeSet<RootId>>,
    /// Whether the prompt block that skilltree renders for the repository contains the skills directory.
    in_block: Vec<bool>,
    /// The packages that each profile finds, by profile.
    packages: Vec<Arc<Packages>>,
    /// Whether the profile of the skills directory is the design of a dispatcher.
    of_design: Vec<bool>,
}

impl<'a> Scope<'a> {
    /// Creates a scope without profiles, for runs that ask for none: parsing the profiles takes time.
    pub fn empty(roots: &[Root]) -> Self {
        Self {
            is_explicit: false,
            profiles: Vec::new(),
            of_roots: vec![Vec::new(); roots.len()],
            ranks: Vec::new(),
            neighbors: vec![BTreeSet::new(); roots.len()],
            in_block: vec![false; roots.len()],
            packages: Vec::new(),
            of_design: vec![false; roots.len()],
        }
    }

    /// Determines the scope of each skills directory. Explicit targets are the scope of all of them. Without targets, the
    /// scope is the runtimes that read the directory, its own profile and the specification.
    pub fn new(roots: &'a [Root], targets: &[String], profiles: &'a Profiles) -> Self {
        Self::with(roots, targets, profiles, &|_| Arc::default(), &[])
    }

    /// Determines the scope like [`Scope::new`], with the packages that a runtime finds.
    pub fn with(
        roots: &'a [Root],
        targets: &[String],
        profiles: &'a Profiles,
        packages: &(dyn Fn(&Profile) -> Arc<Packages> + Sync),
        published: &[bool],
    ) -> Self {
        let explicit = found(profiles, targets.iter().map(String::as_str).collect());
        let is_explicit = !explicit.is_empty();
        let known = if is_explicit { explicit } else { found(profiles, profiles.ids().collect()) };
        let packages = parallel::map(&known, |profile| packages(profile));
        let around = places::around(roots);
        let is_in = |number: usize, root: &Root, id: RootId| match known[number].kind {
            _ if is_explicit || root.profile == known[number].id => true,
            Kind::Specification => true,
            Kind::Runtime => {
                let is_installed = || {
                    published::is_published_for(known[number])
                        && published.get(id.index()) == Some(&true)
                        && !packages[number].refuses(root.path.as_bstr())
                };
                reads(known[number], root)
                    || packages[number].reads(id)
                    || places::reads_around(known[number], roots, &around[id.index()], root)
                    || is_installed()
            }
            Kind::Installer => packages[number].reads(id) && published.get(id.index()) == Some(&true),
            Kind::Design => false,
        };
        let of_root =
            |(id, root): (RootId, &Root)| (0..known.len()).filter(|&number| is_in(number, root, id)).collect();
        let of_roots: Vec<Vec<usize>> = (0u32..).map(RootId).zip(roots).map(of_root).collect();
        let mut ranks: Vec<BTreeMap<RootId, Vec<Rank<'a>>>> = vec![BTreeMap::new(); known.len()];
        for ((id, root), profiles) in (0u32..).map(RootId).zip(roots).zip(&of_roots) {
            for &number in profiles {
                let found: Vec<Rank<'a>> = places::ranks(known[number], root).collect();
                if !found.is_empty() {
                    ranks[number].insert(id, found);
                }
            }
        }
        let mut neighbors = vec![BTreeSet::new(); roots.len()];
        ranks.iter().for_each(|ranks| merge(ranks, &mut neighbors));
        let in_block = in_block(roots, profiles);
        let is_design = |root: &Root| profiles.find(&root.profile).is_some_and(|own| own.kind == Kind::Design);
        let of_design = roots.iter().map(is_design).collect();
        Self { is_explicit, profiles: known, of_roots, ranks, neighbors, in_block, packages, of_design }
    }

    /// Returns whether `targets` decides.
    pub fn is_explicit(&self) -> bool {
        self.is_explicit
    }

    /// Returns the profiles that have to load the skills of a skills directory, sorted by id.
    pub fn of(&self, root: RootId) -> impl Iterator<Item = &'a Profile> {
        self.of_roots[root.index()].iter().map(|&number| self.profiles[number])
    }

    /// Returns whether a profile has to load the skills of a skills directory.
    pub fn contains(&self, root: RootId, profile: &str) -> bool {
        self.of(root).any(|known| known.id == profile)
    }

    /// Returns the profiles that are in scope of at least one of some skills directories, sorted by id.
    pub fn profiles(&self, roots: impl IntoIterator<Item = RootId>) -> Vec<&'a Profile> {
        let numbers: BTreeSet<usize> =
            roots.into_iter().flat_map(|root| self.of_roots[root.index()].iter().copied()).collect();
        numbers.into_iter().map(|number| self.profiles[number]).collect()
    }

    /// Returns whether a runtime finds a skills directory in a package.
    pub fn is_packaged(&self, id: RootId) -> bool {
        let runtimes = self.profiles.iter().zip(&self.packages).filter(|(profile, _)| profile.kind == Kind::Runtime);
        runtimes.into_iter().any(|(_, packages)| packages.reads(id))
    }

    /// Returns whether two skills directories share names: a runtime in scope of both reads both from one directory, or
    /// the prompt block of the repository contains both.
    pub fn share_names(&self, one: RootId, other: RootId) -> bool {
        let (first, second) = (one.index(), other.index());
        one == other || self.neighbors[first].contains(&other) || (self.in_block[first] && self.in_block[second])
    }

    /// Returns the other skills directories that share names with one through a runtime.
    pub(crate) fn neighbors(&self, root: RootId) -> &BTreeSet<RootId> {
        &self.neighbors[root.index()]
    }

    /// Returns whether the prompt block of the repository contains a skills directory.
    pub(crate) fn is_in_block(&self, root: RootId) -> bool {
        self.in_block[root.index()]
    }

    /// Returns whether a dispatcher reads a skills directory: its prompt block contains the directory, so the limits and names of
    /// its design hold there.
    pub fn is_dispatched(&self, root: RootId) -> bool {
        self.in_block[root.index()] || self.of_design[root.index()]
    }

    /// Returns whether two skills directories are for different runtimes: a runtime in scope reads one and not the other. The
    /// same directory of two packages is for the same runtimes, and a dispatcher reads all of its own.
    pub fn differ_in_runtimes(&self, one: RootId, other: RootId) -> bool {
        let is_one_block = self.in_block[one.index()] && self.in_block[other.index()];
        let is_one_kind = || self.merging(one, other).any(|(_, here, there)| here == there);
        let reads_one = |ranks: &BTreeMap<RootId, _>| ranks.contains_key(&one) != ranks.contains_key(&other);
        let mut runtimes = self.ranks.iter().zip(&self.profiles).filter(|(_, profile)| profile.kind == Kind::Runtime);
        !is_one_block && !is_one_kind() && runtimes.any(|(ranks, _)| reads_one(ranks))
    }

    /// Returns whether two skills directories are the same one of two packages, one above the other: a runtime that starts at the
    /// upper one reads only that, so a forecast counts the skills of both.
    pub fn is_of_packages(&self, one: RootId, other: RootId) -> bool {
        let is_one_block = self.in_block[one.index()] && self.in_block[other.index()];
        let mut merging = self.merging(one, other).peekable();
        one != other && !is_one_block && merging.peek().is_some() && merging.all(|(_, here, there)| here == there)
    }

    /// Returns the runtimes in scope of two skills directories that read both from one directory, each with the place of
    /// both in its order of precedence.
    pub fn merging(&self, one: RootId, other: RootId) -> impl Iterator<Item = (&'a Profile, usize, usize)> {
        let ranked = self.ranks.iter().zip(&self.profiles);
        ranked.filter_map(move |(ranks, profile)| {
            let (first, second) = (ranks.get(&one)?, ranks.get(&other)?);
            let mut pairs = first.iter().flat_map(|first| second.iter().map(move |second| (first, second)));
            let (first, second) = pairs.find(|(first, second)| first.is_merged_with(second))?;
            Some((*profile, first.place, second.place))
        })
    }
}

/// Returns the profiles with some ids, sorted by id, each once. Profiles are parsed on first use, so this loads them in
/// parallel.
fn found<'a>(profiles: &'a Profiles, mut ids: Vec<&str>) -> Vec<&'a Profile> {
    ids.sort_unstable();
    ids.dedup();
    parallel::map(&ids, |id| profiles.find(id)).into_iter().flatten().collect()
}

/// Records the skills directories that one runtime reads together.
fn merge(ranks: &BTreeMap<RootId, Vec<Rank<'_>>>, neighbors: &mut [BTreeSet<RootId>]) {
    let mut by_base: BTreeMap<&BStr, Vec<(RootId, Rank<'_>)>> = BTreeMap::new();
    for (&root, ranks) in ranks {
        ranks.iter().for_each(|rank| by_base.entry(rank.base).or_default().push((root, *rank)));
    }
    for (base, ranks) in &by_base {
        let mut directory = *base;
        for _ in 0..LEVELS {
            for (other, above) in by_base.get(directory).into_iter().flatten() {
                for (root, _) in ranks.iter().filter(|(root, rank)| root != other && rank.is_merged_with(above)) {
                    neighbors[root.index()].insert(*other);
                    neighbors[other.index()].insert(*root);
                }
            }
            if directory.is_empty() {
                break;
            }
            directory = text::parent(directory);
        }
    }
}

/// Returns which skills directories the prompt block of the repository contains: those of their profile's own block. A design
/// has one skills directory; several packages with its profile have a block each.
fn in_block(roots: &[Root], profiles: &Profiles) -> Vec<bool> {
    let block = |root: &Root| {
        let profile = profiles.find(&root.profile).filter(|_| root.owner == Owner::Repository)?;
        Some((profile.kind, profile.prompt.as_ref()?))
    };
    let is_design = |root: &Root| block(root).is_some_and(|(kind, _)| kind == Kind::Design);
    let is_known = |root: &Root| block(root).is_some_and(|(_, prompt)| prompt.lists(root));
    let mut packages = roots::Packages::default();
    roots.iter().filter(|root| is_design(root)).for_each(|root| packages.add(root, ()));
    let is_in = |root: &Root| is_known(root) || is_design(root) && !packages.has_apart(root);
    roots.iter().map(is_in).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_skills::roots::RootPattern;

    fn roots(paths: &[&str]) -> Vec<Root> {
        let root = |path: &&str| {
            let (path, profile) = path.split_once('=').unwrap_or((path, "agentskills"));
            let pattern = RootPattern::configured(path, profile);
            pattern.root(0, path.into())
        };
        paths.iter().map(root).collect()
    }

    fn ids(paths: &[&str], targets: &[&str]) -> Vec<String> {
        let (roots, profiles) = (roots(paths), Profiles::default());
        let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
        let scope = Scope::new(&roots, &targets, &profiles);
        let of = |root| scope.of(RootId(root)).map(|profile| profile.id.as_str()).collect::<Vec<_>>().join(" ");
        (0..roots.len() as u32).map(of).collect()
    }

    #[test]
    fn has_runtimes_that_read_the_directory() {
        let expected = [
            "agentskills antigravity droid",
            "agentskills symphony",
            "agentskills amp augment claude-code continue copilot-cli crush cursor deepagents goose grok kilo kimi opencode vscode-copilot warp windsurf",
            "",
            "agentskills openclaw",
            "agentskills openclaw",
        ];
        let paths =
            [".agent/skills", ".symphony/skills=symphony", ".claude/skills", "a/.claude/skills", "skills", "x/skills"];
        let found = ids(&paths, &[]);
        assert_eq!([&found[..3], &found[4..]].concat(), [&expected[..3], &expected[4..]].concat());
        assert!(found[3].contains("claude-code") && !found[3].contains("cursor"), "Cursor reads it at the top only");
        assert!(ids(&[".agents/skills=camel"], &[])[0].contains("camel"), "a design as the profile of a root");
        assert!(!ids(&[".agents/skills"], &[])[0].contains("camel"));
    }

    #[test]
    fn targets_replace_readers() {
        assert_eq!(ids(&[".agent/skills", ".claude/skills"], &["pi", "codex", "pi"]), ["codex pi"; 2]);
        assert_eq!(ids(&[".symphony/skills=symphony"], &["swarm"]), ["swarm"]);
        assert_eq!(
            ids(&[".agent/skills"], &["nothing"]),
            ["agentskills antigravity droid"],
            "an unknown target is no target"
        );
    }

    /// Pairs of directories that share names.
    fn shared(paths: &[&str], targets: &[&str]) -> Vec<(u32, u32)> {
        let (roots, profiles) = (roots(paths), Profiles::default());
        let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
        let scope = Scope::new(&roots, &targets, &profiles);
        let count = roots.len() as u32;
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        pairs.filter(|&(one, other)| scope.share_names(RootId(one), RootId(other))).collect()
    }

    #[test]
    fn directories_that_one_runtime_merges_share_names() {
        assert_eq!(shared(&[".agents/skills", ".gemini/skills"], &[]), [(0, 1)]);
        assert_eq!(shared(&[".agents/skills", ".gemini/skills"], &["codex"]), []);
        assert_eq!(shared(&["plugins/a/skills", "plugins/b/skills", ".claude/skills"], &[]), []);
        // Both read the directories above too.
        let packages = ["a/.claude/skills", "b/.claude/skills", ".claude/skills", "a/.agents/skills"];
        assert_eq!(shared(&packages, &["claude-code"]), [(0, 2), (1, 2)]);
        assert_eq!(shared(&packages, &["opencode"]), [(0, 2), (0, 3), (1, 2), (2, 3)]);
        // pi reads `.pi/skills` in its working directory only.
        assert_eq!(shared(&[".pi/skills", "a/.agents/skills", "a/.pi/skills"], &["pi"]), [(1, 2)]);
        assert_eq!(shared(&[".roo/skills-code", ".roo/skills-architect", ".roo/skills"], &["roo"]), [(0, 2), (1, 2)]);
    }

    #[test]
    fn knows_directories_of_different_runtimes() {
        let profiles = Profiles::default();
        let differ = |paths: [&str; 2], targets: &[&str]| {
            let roots = roots(&paths);
            let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
            Scope::new(&roots, &targets, &profiles).differ_in_runtimes(RootId(0), RootId(1))
        };
        assert!(differ([".claude/skills", ".agents/skills"], &[]));
        assert!(differ([".claude/skills", ".agents/skills"], &["claude-code", "opencode"]));
        assert!(!differ([".claude/skills", ".agents/skills"], &["opencode"]), "it reads both");
        assert!(
            !differ([".claude/skills", "a/.claude/skills"], &[]),
            "Cursor reads only the first, but they are alike"
        );
        assert!(!differ([".symphony/skills=symphony", ".agent/skills"], &[]), "one prompt block");
    }

    #[test]
    fn directories_of_the_prompt_block_share_names() {
        let both = [".symphony/skills=symphony", ".agent/skills"];
        assert_eq!(shared(&both, &[]), [(0, 1)]);
        assert_eq!(shared(&both, &["claude-code"]), [(0, 1)]);
        assert_eq!(
            shared(&["team/skills=symphony", ".agent/skills", "a/.agent/skills"], &[]),
            [(0, 1), (1, 2)],
            "droid reads both"
        );
    }
}
