//! Discovery: which directories are skills directories, from the paths of the SKILL.md files in a tree.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::{RootPattern, is_plainly_skill_file, is_within};
use skilltree_front_matter::text;

/// Names of directories that hold samples, test data or copies of other projects.
const SAMPLES: [&str; 15] = [
    "__fixtures__",
    "__tests__",
    "backup",
    "backups",
    "fixture",
    "fixtures",
    "test",
    "test-data",
    "testdata",
    "tests",
    "third-party",
    "third_party",
    "vendor",
    "vendored",
    "vendors",
];

/// Names of directories whose files a program ships or a text shows.
const PACKAGED: [&str; 10] =
    ["assets", "demo", "doc", "docs", "example", "examples", "resources", "samples", "template", "templates"];

/// The skills directory of a repository or a plugin that publishes skills.
pub(crate) const PUBLISHED: &str = "skills";

/// Maximum depth of a skill that an installer finds in a repository without a usual skills directory.
const FALLBACK_DEPTH: usize = 5;

/// Finds skills directories by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    /// Paths that runtimes search: one with a leading dot in any package, another only at the top.
    pub known: BTreeSet<String>,
    /// Those that are skills directories even without a skill.
    pub patterns: Vec<RootPattern>,
}

/// The result of a discovery.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Skills directories, sorted; the top directory is empty.
    pub(crate) roots: BTreeSet<BString>,
    /// SKILL.md files in no skills directory, in the given order.
    pub(crate) others: Vec<BString>,
}

impl Discovery {
    /// Returns whether a directory name is the last component of a path that runtimes search.
    pub(crate) fn ends_known(&self, name: &BStr) -> bool {
        self.last_names().any(|known| known == name)
    }

    /// Returns the last components of the paths that runtimes search.
    fn last_names(&self) -> impl Iterator<Item = &BStr> {
        let known = self.known.iter().map(|known| text::file_name(known.as_bytes().as_bstr()));
        known.chain([PUBLISHED.into()])
    }

    /// Returns whether a directory is a skills directory by its path alone.
    pub fn is_known(&self, path: &BStr) -> bool {
        let is_plugin = || {
            let mut names = path.split_str("/");
            names.next() == Some(b"plugins") && names.nth(1) == Some(PUBLISHED.as_bytes()) && names.next().is_none()
        };
        if path == PUBLISHED || is_plugin() {
            return true;
        }
        self.known.iter().any(|known| {
            // A wildcard matches only at the top.
            let Some(above) = path.strip_suffix(known.as_bytes()) else { return false };
            above.is_empty() || known.starts_with('.') && above.ends_with(b"/") && !is_sample(above.as_bstr())
        })
    }

    /// Sorts SKILL.md files into skills directories. `named` are the directories that manifests name.
    pub(crate) fn places(&self, skills: &[BString], named: &BTreeSet<BString>) -> Places {
        let mut places = Places::default();
        let mut at_top = Vec::new();
        // Few directories have one of these names.
        let names: BTreeSet<&BStr> = self.last_names().collect();
        let is_known = |path: &BStr| names.contains(text::file_name(path)) && self.is_known(path);
        for path in skills {
            let directory = text::parent(path.as_bstr());
            let ends = directory.find_iter("/").chain([directory.len()]);
            let above = ends.map(|end| directory[..end].as_bstr());
            let name = text::file_name(path.as_bstr());
            if is_open(directory) {
                places.others.push(path.clone());
                continue;
            }
            // What a manifest names is exact, also below a directory that runtimes search, but hides no such directory in it:
            // both are above the skill, and the inner one is the longer one.
            let innermost = above.clone().filter(|above| named.contains(above.as_bytes())).last();
            match innermost.max(above.clone().find(|above| is_known(above))) {
                Some(root) => {
                    places.roots.insert(root.to_owned());
                }
                None if is_plainly_skill_file(name) && is_at_top(directory) => at_top.push(path.clone()),
                None if is_plainly_skill_file(name) => places.others.push(path.clone()),
                None => {}
            }
        }
        // A repository that publishes `skills/` often has one template next to it.
        let publishes = places.roots.iter().any(|root| !root.starts_with(b".") && !root.contains_str("/."));
        let is_root = match at_top.as_slice() {
            [] => false,
            [one] => !publishes || !one.contains(&b'/'),
            _ => true,
        };
        if is_root || named.contains(b"".as_slice()) && !at_top.is_empty() {
            places.roots.insert(BString::default());
        } else {
            places.others.extend(at_top);
            places.others.sort();
        }
        places
    }
}

impl Places {
    /// Takes directories with names such as `skills` if there is no skills directory: installers search the whole repository then.
    /// Directories that are left: those of samples, hidden ones, and misspelled ones, in which other runtimes would read the skills.
    pub(crate) fn fall_back(&mut self, is_misspelled: impl Fn(&BStr) -> bool) {
        let is_searched = |path: &BStr, directory: &BStr| {
            text::file_name(directory).ends_with(PUBLISHED.as_bytes())
                && text::parent(path).split_str("/").count() <= FALLBACK_DEPTH
                && !directory.split_str("/").any(|name| name.starts_with(b"."))
                && !is_packaged(directory)
                && !is_misspelled(directory)
        };
        for path in self.others.iter().map(|path| path.as_bstr()) {
            let directory = text::parent(text::parent(path));
            if is_searched(path, directory) {
                self.roots.insert(directory.to_owned());
            }
        }
        self.others.retain(|path| !super::is_within_any(path.as_bstr(), &self.roots));
    }
}

/// Returns whether a directory is the top, or directly in it, and not hidden or a sample.
fn is_at_top(directory: &BStr) -> bool {
    !directory.contains(&b'/') && !directory.starts_with(b".") && !is_sample(directory)
}

/// Returns whether a component of a path names samples or copies.
pub(crate) fn is_sample(path: &BStr) -> bool {
    path.split_str("/").any(|name| SAMPLES.iter().any(|sample| name == sample.as_bytes()))
}

/// Returns whether a part of a path is still to be filled in, as in the templates of repositories: `{{name}}`, `<%= name %>`, `[[name]]`.
fn is_open(path: &BStr) -> bool {
    let is_filled = |(open, close): (&str, &str)| path.find(open).is_some_and(|at| path[at..].contains_str(close));
    [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("[[", "]]")].into_iter().any(is_filled)
}

/// Returns whether a component of a path names samples or copies, or files that are shipped or shown.
pub fn is_packaged(path: &BStr) -> bool {
    is_sample(path)
        || is_open(path)
        || path.split_str("/").any(|name| PACKAGED.iter().any(|packaged| name == packaged.as_bytes()))
}

impl Places {
    /// Returns the directories that contain the skill directories of the other files, each with the number of files,
    /// the largest first.
    pub fn groups<'a>(others: impl Iterator<Item = &'a BStr>) -> Vec<(&'a BStr, usize)> {
        let mut groups: Vec<(&BStr, usize)> = Vec::new();
        for path in others {
            let directory = text::parent(text::parent(path));
            match groups.last_mut().filter(|(group, _)| is_within(directory, group) && !group.is_empty()) {
                Some((_, count)) => *count += 1,
                None => groups.push((directory, 1)),
            }
        }
        groups.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(skills: &[&str], named: &[&str]) -> (Vec<String>, Vec<String>) {
        let known = [".agents/skills", ".claude/skills", ".opencode/skill", "skills"].map(str::to_owned);
        let discovery = Discovery { known: known.into_iter().collect(), patterns: Vec::new() };
        let skills: Vec<BString> = skills.iter().map(|path| BString::from(*path)).collect();
        let named = named.iter().map(|path| BString::from(*path)).collect();
        let Places { roots, others } = discovery.places(&skills, &named);
        let words = |paths: Vec<BString>| paths.into_iter().map(|path| path.to_string()).collect();
        (words(roots.into_iter().collect()), words(others))
    }

    #[test]
    fn finds_directories_that_runtimes_search() {
        let paths = [
            ".claude/skills/a/SKILL.md",
            ".opencode/skill/b/SKILL.md",
            "packages/web/.agents/skills/c/SKILL.md",
            "plugins/x/skills/d/SKILL.md",
            "skills/group/e/SKILL.md",
        ];
        let roots = [".claude/skills", ".opencode/skill", "packages/web/.agents/skills", "plugins/x/skills", "skills"];
        assert_eq!(places(&paths, &[]), (roots.map(str::to_owned).to_vec(), vec![]));
    }

    #[test]
    fn leaves_samples_and_other_directories_alone() {
        let paths = [
            "docs/skills/a/SKILL.md",
            "tests/b/.claude/skills/b/SKILL.md",
            "web/not.claude/skills/c/SKILL.md",
            "x/skills/d/SKILL.md",
        ];
        assert_eq!(places(&paths, &[]), (vec![], paths.map(str::to_owned).to_vec()));
        assert_eq!(places(&["docs/skill.md", "readme/skill.md"], &[]), (vec![], vec![]));
    }

    #[test]
    fn takes_the_top_of_a_collection() {
        assert_eq!(places(&["pdf/SKILL.md"], &[]).0, [""]);
        assert_eq!(places(&["SKILL.md"], &[]).0, [""]);
        assert_eq!(places(&["SKILL.md", "skills/pdf/SKILL.md"], &[]).0, ["", "skills"]);
        assert_eq!(places(&[".claude/skills/x/SKILL.md", "pdf/SKILL.md"], &[]).0, ["", ".claude/skills"]);
        let with_template = places(&["skills/pdf/SKILL.md", "template/SKILL.md"], &[]);
        assert_eq!(with_template, (vec!["skills".into()], vec!["template/SKILL.md".into()]));
        assert_eq!(places(&["a/SKILL.md", "b/SKILL.md", "skills/pdf/SKILL.md"], &[]).0, ["", "skills"]);
        assert_eq!(places(&["tests/SKILL.md", ".x/SKILL.md"], &[]).1.len(), 2);
        assert_eq!(places(&["lists/SKILL.MD"], &[]).0, [""], "a misspelled extension");
        assert_eq!(places(&["a/backups/2026/.claude/skills/x/SKILL.md"], &[]).0, [""; 0]);
    }

    #[test]
    fn takes_directories_that_manifests_name() {
        let named = places(&["documents/pdf/SKILL.md", "other/x/SKILL.md"], &["documents"]);
        assert_eq!(named, (vec!["documents".into()], vec!["other/x/SKILL.md".into()]));
        assert_eq!(places(&["skills/a/SKILL.md", "pdf/SKILL.md"], &[""]).0, ["", "skills"]);
        assert_eq!(
            places(&[".claude/skills/p/skills/a/SKILL.md"], &[".claude/skills/p/skills"]).0,
            [".claude/skills/p/skills"]
        );
        let around = places(&["pack/a/.claude/skills/x/SKILL.md", "pack/b/SKILL.md"], &["pack"]);
        assert_eq!(around, (vec!["pack".into(), "pack/a/.claude/skills".into()], vec![]));
    }

    #[test]
    fn falls_back_to_directories_that_installers_search() {
        let left = |paths: &[&str]| {
            let others = paths.iter().map(|path| BString::from(*path)).collect();
            let mut places = Places { roots: BTreeSet::new(), others };
            places.fall_back(|path| path == "claude/skills");
            places
        };
        let found = left(&["libs/a/built_in_skills/x/SKILL.md", "packages/a/skills/y/SKILL.md", "z/SKILL.md"]);
        assert_eq!(found.roots, ["libs/a/built_in_skills", "packages/a/skills"].map(BString::from).into());
        assert_eq!(found.others, ["z/SKILL.md"]);
        for other in [
            ".claudee/skills/x/SKILL.md",
            "a/b/c/d/skills/x/SKILL.md",
            "a/skills/SKILL.md",
            "claude/skills/x/SKILL.md",
            "docs/skills/x/SKILL.md",
            "x/Skill/x/SKILL.md",
        ] {
            assert_eq!(left(&[other]).others, [other]);
        }
    }

    #[test]
    fn groups_other_files_by_directory() {
        let paths = ["d/a/SKILL.md", "d/b/SKILL.md", "e/SKILL.md"].map(BStr::new);
        let groups: Vec<(&BStr, usize)> = Places::groups(paths.into_iter());
        assert_eq!(groups, [(BStr::new("d"), 2), (BStr::new(""), 1)]);
    }
}
