//! Packages: the directories that skills directories belong to. A plugin's skills are a name space apart from another plugin's,
//! however the configuration names the two.

use std::collections::BTreeMap;
use std::ops::Bound;

use bstr::{BStr, ByteSlice};

use super::{Owner, Root, is_within};
use skilltree_front_matter::text;

/// Values by package. Two packages are apart if neither contains the other.
#[derive(Debug)]
pub struct Packages<'a, T>(BTreeMap<&'a BStr, T>);

impl<T> Default for Packages<'_, T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'a, T> Packages<'a, T> {
    /// Adds the package of a root, unless it is known.
    pub fn add(&mut self, root: &'a Root, value: T) {
        self.0.entry(root.package()).or_insert(value);
    }

    /// Returns the value of the package of a root, of one above it, or else of the first one below it.
    pub fn near(&self, root: &Root) -> Option<&T> {
        let own = root.package();
        let ends = std::iter::once(0).chain(own.find_iter("/")).chain([own.len()]);
        let mut above = ends.filter_map(|end| self.0.get(own[..end].as_bstr()));
        above.next().or_else(|| {
            // Between a directory and what is in it, siblings such as `a-b` can follow `a`.
            let below = [own.as_bytes(), b"/"].concat();
            let start = if own.is_empty() { own } else { below.as_bstr() };
            let mut after = self.0.range::<BStr, _>((Bound::Included(start), Bound::Unbounded));
            after.next().filter(|(other, _)| is_within(other, own)).map(|(_, value)| value)
        })
    }

    /// Returns whether a package is apart from that of a root.
    pub fn has_apart(&self, root: &Root) -> bool {
        let own = root.package();
        // In a repository of many packages the first ones differ.
        self.0.keys().any(|other| !is_within(own, other) && !is_within(other, own))
    }
}

impl Root {
    /// Returns the package: `plugins/a` for `plugins/a/skills` and for `plugins/a/.claude/skills`, and the top for
    /// `.claude/skills`. A directory with another name is a package itself. A root outside the repository is in all packages.
    pub(crate) fn package(&self) -> &BStr {
        if self.owner != Owner::Repository {
            return BStr::new("");
        }
        let path = self.path.as_bstr();
        let is_plain = matches!(text::file_name(path).as_bytes(), b"skill" | b"skills");
        let above = if is_plain { text::parent(path) } else { path };
        if text::file_name(above).starts_with(b".") { text::parent(above) } else { above }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(path: &str) -> Root {
        Root { path: path.into(), ..Root::default() }
    }

    #[test]
    fn separates_packages_that_do_not_contain_each_other() {
        let near = |one: &str, other: &str| {
            let (one, other) = (root(one), root(other));
            let mut packages = Packages::default();
            packages.add(&one, ());
            assert_eq!(packages.near(&other).is_none(), packages.has_apart(&other));
            packages.near(&other).is_some()
        };
        let apart =
            [("plugins/a/skills", "plugins/b/skills"), ("a/.x/skills", "b/c/.y/skills"), ("a/skills", "a-b/skills")];
        for (one, other) in apart {
            assert!(!near(one, other) && !near(other, one), "{one} {other}");
        }
        let together =
            [(".agent/skills", ".symphony/skills"), (".agent/skills", "team/skills"), ("a/.x/skills", "a/b/skills")];
        for (one, other) in together {
            assert!(near(one, other) && near(other, one), "{one} {other}");
        }
        let user = Root { owner: Owner::User, ..root("b/skills") };
        assert_eq!(user.package(), "", "the repository's skill wins");
    }

    #[test]
    fn finds_packages_below_siblings_with_a_common_prefix() {
        let roots = ["a-b/skills", "a/x/skills"].map(root);
        let mut packages = Packages::default();
        roots.iter().zip(0..).for_each(|(root, number)| packages.add(root, number));
        assert_eq!(packages.near(&root("a/skills")), Some(&1));
        assert_eq!(packages.near(&root("skills")), Some(&0));
        assert!(packages.has_apart(&root("a/skills")) && !packages.has_apart(&root("skills")));
    }
}
