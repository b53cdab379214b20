//! Components of paths. A bad directory name is reported once, whatever the number of files below it, and it affects
//! every skill below it.

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, ByteSlice};

use super::Catalog;
use skilltree_front_matter::text::{self, FileId};
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, File, Role};

/// Component of a path in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component<'a> {
    /// First file whose path contains it.
    pub file: FileId,
    /// Path that ends with it.
    pub path: &'a BStr,
}

impl<'a> Component<'a> {
    /// Returns the name.
    pub fn name(&self) -> &'a BStr {
        text::file_name(self.path)
    }

    /// Returns the directory that contains it.
    pub fn parent(&self) -> &'a BStr {
        text::parent(self.path)
    }
}

/// Skill that is affected by the name of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss<'a> {
    /// Component with the bad name.
    pub component: Component<'a>,
    /// Skill whose path contains it, or that contains it.
    pub skill: Option<SkillId>,
    /// File to report: the skill's own if its path contains the name.
    pub file: FileId,
}

/// Components of the paths of a catalog, in path order; a root that does not exist has none. Files are sorted, so
/// comparing a path with the previous one finds the new components. Only a component that is also a file with entries
/// below it, such as a root's own, may occur twice.
pub fn components(catalog: &Catalog) -> impl Iterator<Item = Component<'_>> {
    let mut previous: &BStr = b"".as_bstr();
    let in_tree = |file: &File| {
        !matches!(file.role, Role::Config | Role::Manifest | Role::Twin | Role::Unchecked) && file.body != Body::Absent
    };
    catalog.files().filter(move |(_, file)| in_tree(file)).flat_map(move |(file, entry)| {
        let path = entry.path.as_bstr();
        let known = shared_directories(previous, path);
        previous = path;
        let ends = path.find_iter(b"/").chain([path.len()]).filter(move |&end| end >= known);
        ends.map(move |end| Component { file, path: path[..end].as_bstr() })
    })
}

/// Length of the directory prefix that two paths share, including the trailing slash.
fn shared_directories(one: &BStr, other: &BStr) -> usize {
    let same = one.iter().zip(other.iter()).take_while(|(a, b)| a == b).count();
    other[..same].rfind_byte(b'/').map_or(0, |slash| slash + 1)
}

/// Returns the skills that are affected by component names for which `fails` holds: every skill whose path contains
/// such a name; otherwise the skill that contains it, or none.
pub fn losses<'a>(catalog: &'a Catalog, fails: impl Fn(&BStr) -> bool) -> Vec<Loss<'a>> {
    let failing: BTreeMap<&BStr, Component<'_>> = components(catalog)
        .filter(|component| fails(component.name()))
        .map(|component| (component.path, component))
        .collect();
    if failing.is_empty() {
        return Vec::new();
    }
    let owners = Owners::new(catalog);
    failing.into_values().flat_map(|component| owners.losses(component)).collect()
}

/// Maps paths to skills. Building it takes one pass over the skills, so build it only when needed.
#[derive(Debug)]
pub struct Owners<'a> {
    catalog: &'a Catalog,
    by_file: HashMap<FileId, SkillId>,
    by_directory: HashMap<&'a BStr, SkillId>,
}

impl<'a> Owners<'a> {
    /// Builds the maps from all skills.
    pub fn new(catalog: &'a Catalog) -> Self {
        let mut owners = Self { catalog, by_file: HashMap::new(), by_directory: HashMap::new() };
        for (id, skill) in catalog.skills() {
            owners.by_file.insert(skill.file, id);
            owners.by_directory.entry(skill_directory(catalog.file(skill.file))).or_insert(id);
        }
        owners
    }

    /// Returns the innermost skill whose directory equals or contains a path.
    pub fn owner(&self, path: &'a BStr) -> Option<SkillId> {
        let mut directory = path;
        while !directory.is_empty() {
            if let Some(&skill) = self.by_directory.get(directory) {
                return Some(skill);
            }
            directory = text::parent(directory);
        }
        None
    }

    fn losses(&self, component: Component<'a>) -> Vec<Loss<'a>> {
        // Files between an entry and its descendants may share its prefix: `a`, `a-b`, `a/c`.
        let files = &self.catalog.parsed.files[component.file.index()..];
        let alike =
            (component.file.0..).map(FileId).zip(files).take_while(|(_, file)| file.path.starts_with(component.path));
        let below = alike.filter(|(_, file)| roots::is_within(file.path.as_bstr(), component.path));
        let skills = below.filter_map(|(file, _)| self.by_file.get(&file).map(|&skill| (file, skill)));
        let losses: Vec<_> = skills.map(|(file, skill)| Loss { component, skill: Some(skill), file }).collect();
        if losses.is_empty() {
            return vec![Loss { component, skill: self.owner(component.path), file: component.file }];
        }
        losses
    }
}

/// Returns the skill directory of a skill's file: its parent, or the path itself if the entry is not a directory.
fn skill_directory(file: &File) -> &BStr {
    let path = file.path.as_bstr();
    if roots::is_skill_file(text::file_name(path)) { text::parent(path) } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn catalog(patterns: &[&str], paths: &[&str]) -> Catalog {
        let file = |path: &&str| ((*path).to_owned(), "---\nname: a\ndescription: Does it.\n---\nDo it.\n");
        samples::read(patterns, paths.iter().map(file))
    }

    #[test]
    fn yields_each_directory_once() {
        let catalog = catalog(&["r"], &["r/a/SKILL.md", "r/a/x/1", "r/a/x/2", "r/ab/SKILL.md"]);
        let paths: Vec<_> = components(&catalog).map(|component| component.path.to_string()).collect();
        // The root is an entry with entries below it.
        assert_eq!(paths, ["r", "r", "r/a", "r/a/SKILL.md", "r/a/x", "r/a/x/1", "r/a/x/2", "r/ab", "r/ab/SKILL.md"]);
    }

    #[test]
    fn bad_name_affects_skills_below_it_or_around_it() {
        let paths = [
            "r-other/x",
            "r/README.md",
            "r/bad/a/SKILL.md",
            "r/bad/b/SKILL.md",
            "r/bad/b/x",
            "r/c/SKILL.md",
            "r/c/x/worse/1",
            "r/c/x/worse/2",
        ];
        let catalog = catalog(&["r", "r-other"], &paths);
        let lost = |bad: &str| -> Vec<_> {
            let losses = losses(&catalog, |name| name == bad);
            let path = |loss: &Loss| catalog.file(loss.file).path.to_string();
            losses.iter().map(|loss| (path(loss), loss.skill.map(|id| id.0))).collect()
        };
        let skill = |path: &str, number| (path.to_owned(), Some(number));
        let (a, b, c) = (skill("r/bad/a/SKILL.md", 0), skill("r/bad/b/SKILL.md", 1), skill("r/c/SKILL.md", 2));
        assert_eq!(lost("bad"), [a.clone(), b.clone()]);
        assert_eq!(lost("worse"), [skill("r/c/x/worse/1", 2)]);
        assert_eq!(lost("r"), [a, b, c]);
        assert_eq!(lost("README.md"), [("r/README.md".to_owned(), None)]);
        assert_eq!(lost("nothing"), []);
    }
}
