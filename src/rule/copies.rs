//! Roots that are meant to hold the same skills.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::roots::{self, Root, RootId, Wildcards};

/// Which directories hold copies of the same skills, as the configuration names them: normalised paths or globs of roots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Groups of roots that are kept equal.
    pub mirrors: Vec<Vec<String>>,
    /// Roots that are deployed to others.
    pub deployments: Vec<Deployment>,
}

/// A root whose skills are copied to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// The root that is written by hand.
    pub from: String,
    /// The root that a program fills.
    pub to: String,
}

/// Which roots mirror each other.
#[derive(Clone, Debug)]
pub struct Mirrors {
    /// Of each root the groups and deployments that name it.
    named: Vec<Vec<usize>>,
    /// Of each root the sets of roots that are to be equal: a group without wildcards is one set.
    sets: Vec<Vec<usize>>,
}

impl Copies {
    /// Finds the roots that are meant. What the wildcards of a group stand for has to be the same in all roots of it:
    /// `packages/*/.agent/skills` mirrors `packages/*/.claude/skills` package by package.
    pub fn mirrors(&self, roots: &[Root]) -> Mirrors {
        let mut mirrors = Mirrors { named: vec![Vec::new(); roots.len()], sets: vec![Vec::new(); roots.len()] };
        let roots = RootsByPath::new(roots);
        let mut numbers = BTreeMap::new();
        for (group, patterns) in self.mirrors.iter().enumerate() {
            for (index, found) in roots.captured(patterns) {
                let next = numbers.len();
                mirrors.named[index].push(group);
                mirrors.sets[index].push(*numbers.entry((group, found)).or_insert(next));
            }
        }
        // What was deployed is a copy by intent too, but it need not be equal.
        for (deployment, group) in self.deployments.iter().zip(self.mirrors.len()..) {
            for index in roots.captured([&deployment.from, &deployment.to]).into_keys() {
                mirrors.named[index].push(group);
            }
        }
        mirrors
    }
}

/// The roots by their paths.
#[derive(Clone, Debug)]
pub struct RootsByPath<'a>(BTreeMap<&'a BStr, Vec<usize>>);

impl<'a> RootsByPath<'a> {
    /// Looks at the path of each root.
    pub fn new(roots: &'a [Root]) -> Self {
        let mut paths: BTreeMap<&BStr, Vec<usize>> = BTreeMap::new();
        for (index, root) in roots.iter().enumerate() {
            paths.entry(root.path.as_bstr()).or_default().push(index);
        }
        Self(paths)
    }

    /// The roots that some patterns name, in their order, each with what the wildcards of the first pattern that names it stand
    /// for. Nearly all patterns are paths, and each of those is looked up.
    pub fn captured<'p>(&self, patterns: impl IntoIterator<Item = &'p String>) -> BTreeMap<usize, Vec<BString>> {
        let mut captured = BTreeMap::new();
        let mut add = |indices: &[usize], found: Vec<BString>| {
            for &index in indices {
                captured.entry(index).or_insert_with(|| found.clone());
            }
        };
        for pattern in patterns {
            if !roots::has_wildcard(pattern) {
                let indices = self.0.get(BStr::new(pattern)).map_or(&[][..], Vec::as_slice);
                add(indices, Vec::new());
            } else if let Some(wildcards) = Wildcards::of(pattern) {
                for (path, indices) in &self.0 {
                    wildcards.captured(path).into_iter().for_each(|found| add(indices, found));
                }
            }
        }
        captured
    }
}

impl Mirrors {
    /// Whether a group or a deployment names both of two roots: one holds copies of the other, or they belong to two packages.
    pub fn name_both(&self, one: RootId, other: RootId) -> bool {
        one != other && self.named[one.index()].iter().any(|group| self.named[other.index()].contains(group))
    }

    /// The sets of roots to be equal that a root belongs to, by their numbers.
    pub fn sets(&self, root: RootId) -> &[usize] {
        &self.sets[root.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roots::RootPattern;

    #[test]
    fn roots_mirror_each_other_wildcard_by_wildcard() {
        let root = |path: &str| {
            let pattern =
                RootPattern { glob: path.into(), profile: "agentskills".into(), depth: None, configured: true };
            pattern.root(0, path.into())
        };
        let roots = ["a", "b", "c", "p/x/a", "p/x/b", "p/y/a", "p/y/b"].map(root);
        let group = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
        let mirrors = vec![group(&["a", "b"]), group(&["b", "c"]), group(&["p/*/a", "p/*/b"])];
        let deployments = vec![Deployment { from: "c".to_owned(), to: "p/x/a".to_owned() }];
        let mirrors = Copies { mirrors, deployments }.mirrors(&roots);
        let sets: Vec<&[usize]> = (0..7).map(|root| mirrors.sets(RootId(root))).collect();
        assert_eq!(sets, [&[0][..], &[0, 1], &[1], &[2], &[2], &[3], &[3]]);
        let named = |one, other| mirrors.name_both(RootId(one), RootId(other));
        assert!(named(3, 6) && named(2, 3) && !named(0, 2) && !named(0, 0));
    }
}
