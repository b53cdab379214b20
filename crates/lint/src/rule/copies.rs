//! Roots that hold copies of the same skills.

use std::collections::BTreeMap;

use bstr::{BStr, BString};

use skilltree_skills::roots::{self, Root, RootId, Wildcards};

/// Roots with the same skills, as configured: normalized paths or globs of roots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Groups of roots with equal skills.
    pub mirrors: Vec<Vec<String>>,
    /// Roots that are deployed to other roots.
    pub deployments: Vec<Deployment>,
}

/// A root whose skills are copied to another root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deployment {
    /// Source root.
    pub from: String,
    /// Destination root, which a program fills.
    pub to: String,
}

/// Roots that mirror each other.
#[derive(Clone, Debug)]
pub struct Mirrors {
    /// Groups and deployments that name each root, by root.
    groups_by_root: Vec<Vec<usize>>,
    /// Sets of equal roots, by root. A group without wildcards is one set.
    sets: Vec<Vec<usize>>,
}

impl Copies {
    /// Resolves the configured groups. The wildcards of a group match the same text in all its roots:
    /// `packages/*/.agent/skills` mirrors `packages/*/.claude/skills` in each package.
    pub(crate) fn mirrors(&self, roots: &[Root]) -> Mirrors {
        let mut mirrors =
            Mirrors { groups_by_root: vec![Vec::new(); roots.len()], sets: vec![Vec::new(); roots.len()] };
        let roots = RootsByPath::new(roots);
        let mut numbers = BTreeMap::new();
        for (group, patterns) in self.mirrors.iter().enumerate() {
            for (index, captures) in roots.captured(patterns) {
                let next = numbers.len();
                mirrors.groups_by_root[index].push(group);
                mirrors.sets[index].push(*numbers.entry((group, captures)).or_insert(next));
            }
        }
        // A deployed skill is an intended copy too, but need not be equal.
        for (deployment, group) in self.deployments.iter().zip(self.mirrors.len()..) {
            for index in roots.captured([&deployment.from, &deployment.to]).into_keys() {
                mirrors.groups_by_root[index].push(group);
            }
        }
        mirrors
    }
}

/// Index of the roots by path.
#[derive(Clone, Debug)]
pub struct RootsByPath<'a>(BTreeMap<&'a BStr, Vec<usize>>);

impl<'a> RootsByPath<'a> {
    /// Builds the index.
    pub fn new(roots: &'a [Root]) -> Self {
        let mut paths: BTreeMap<&BStr, Vec<usize>> = BTreeMap::new();
        for (index, root) in roots.iter().enumerate() {
            root.paths().for_each(|path| paths.entry(path).or_default().push(index));
        }
        Self(paths)
    }

    /// Returns the roots that match some patterns, in their order, with the text matched by the wildcards of the first
    /// matching pattern. Plain paths, the usual case, are looked up directly.
    pub(crate) fn captured<'p>(&self, patterns: impl IntoIterator<Item = &'p String>) -> BTreeMap<usize, Vec<BString>> {
        let mut captured = BTreeMap::new();
        let mut add = |indices: &[usize], captures: Vec<BString>| {
            for &index in indices {
                captured.entry(index).or_insert_with(|| captures.clone());
            }
        };
        for pattern in patterns {
            if !roots::has_wildcard(pattern) {
                let indices = self.0.get(BStr::new(pattern)).map_or(&[][..], Vec::as_slice);
                add(indices, Vec::new());
            } else if let Some(wildcards) = Wildcards::of(pattern) {
                for (path, indices) in &self.0 {
                    wildcards.captured(path).into_iter().for_each(|captures| add(indices, captures));
                }
            }
        }
        captured
    }
}

impl Mirrors {
    /// Returns whether a group or a deployment names both roots: one holds copies of the other, or they belong to two
    /// packages.
    pub(crate) fn name_both(&self, one: RootId, other: RootId) -> bool {
        one != other
            && self.groups_by_root[one.index()].iter().any(|group| self.groups_by_root[other.index()].contains(group))
    }

    /// Returns the numbers of the sets of equal roots that contain a root.
    pub fn sets(&self, root: RootId) -> &[usize] {
        &self.sets[root.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_skills::roots::RootPattern;

    #[test]
    fn matches_mirrors_by_wildcard() {
        let root = |path: &str| {
            let pattern = RootPattern::configured(path, "agentskills");
            pattern.root(0, path.into())
        };
        let roots = ["a", "b", "c", "p/x/a", "p/x/b", "p/y/a", "p/y/b"].map(root);
        let group = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
        let mirrors = vec![group(&["a", "b"]), group(&["b", "c"]), group(&["p/*/a", "p/*/b"])];
        let deployments = vec![Deployment { from: "c".to_owned(), to: "p/x/a".to_owned() }];
        let mirrors = Copies { mirrors, deployments }.mirrors(&roots);
        let sets: Vec<&[usize]> = (0..7).map(|root| mirrors.sets(RootId(root))).collect();
        assert_eq!(sets, [&[0][..], &[0, 1], &[1], &[2], &[2], &[3], &[3]]);
        let named_together = |one, other| mirrors.name_both(RootId(one), RootId(other));
        assert!(named_together(3, 6) && named_together(2, 3) && !named_together(0, 2) && !named_together(0, 0));
    }
}
