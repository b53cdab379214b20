//! The names that paths are made of. What is wrong with the name of a directory is wrong once, however many files lie
//! below it, and every skill below it is lost by it.

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, ByteSlice};

use super::Catalog;
use crate::roots;
use crate::skill::SkillId;
use crate::snapshot::{Body, File, Role};
use crate::text::{self, FileId};

/// A name in the paths of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component<'a> {
    /// The first file whose path has it.
    pub file: FileId,
    /// The path that ends with it.
    pub path: &'a BStr,
}

impl<'a> Component<'a> {
    /// The name itself.
    pub fn name(&self) -> &'a BStr {
        text::file_name(self.path)
    }

    /// The directory that it names something in.
    pub fn parent(&self) -> &'a BStr {
        text::parent(self.path)
    }
}

/// What is lost by the name of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss<'a> {
    /// The name.
    pub component: Component<'a>,
    /// The skill whose path has it, or in whose directory it lies.
    pub skill: Option<SkillId>,
    /// The file to show: the skill's own where its path has the name.
    pub file: FileId,
}

/// The names in the paths of a catalog, in the order of those paths; a root that does not exist has none. Sorted files
/// have those of one directory side by side, so a look at the previous path tells what is new; only the name of an entry
/// that others lie below, such as a root's own, may come twice.
pub fn components(catalog: &Catalog) -> impl Iterator<Item = Component<'_>> {
    let mut previous: &BStr = b"".as_bstr();
    let in_tree = |file: &File| !matches!(file.role, Role::Config | Role::Twin) && file.body != Body::Absent;
    catalog.files().filter(move |(_, file)| in_tree(file)).flat_map(move |(file, entry)| {
        let path = entry.path.as_bstr();
        let known = shared_directories(previous, path);
        previous = path;
        let ends = path.find_iter(b"/").chain([path.len()]).filter(move |&end| end >= known);
        ends.map(move |end| Component { file, path: path[..end].as_bstr() })
    })
}

/// The length of the directories that two paths share, with the slash behind them.
fn shared_directories(one: &BStr, other: &BStr) -> usize {
    let same = one.iter().zip(other.iter()).take_while(|(a, b)| a == b).count();
    other[..same].rfind_byte(b'/').map_or(0, |slash| slash + 1)
}

/// What is lost by the names that fail a test: every skill whose path has such a name; where no skill's has, the skill
/// that it lies in, or nothing in particular.
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

/// Which skill a path belongs to. It takes a pass over the skills to make, so a rule makes it when there is something
/// to say.
#[derive(Debug)]
pub struct Owners<'a> {
    catalog: &'a Catalog,
    by_file: HashMap<FileId, SkillId>,
    by_directory: HashMap<&'a BStr, SkillId>,
}

impl<'a> Owners<'a> {
    /// Looks at every skill.
    pub fn new(catalog: &'a Catalog) -> Self {
        let mut owners = Self { catalog, by_file: HashMap::new(), by_directory: HashMap::new() };
        for (id, skill) in catalog.skills() {
            owners.by_file.insert(skill.file, id);
            owners.by_directory.entry(skill_directory(catalog.file(skill.file))).or_insert(id);
        }
        owners
    }

    /// The innermost skill whose directory a path is, or lies in.
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
        // Between an entry and what lies below it may stand others that begin alike: `a`, `a-b`, `a/c`.
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

/// The directory that a skill's file makes a skill's: the one it lies in, or its own path where something else than a
/// directory stands in its place.
fn skill_directory(file: &File) -> &BStr {
    let path = file.path.as_bstr();
    if roots::is_skill_file(text::file_name(path)) { text::parent(path) } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::Bounds;
    use crate::roots::{RootId, RootPattern};
    use crate::skill::Parsed;
    use crate::snapshot::{Body, Origin, Snapshot};

    fn catalog(entries: &[(&str, Role)]) -> Catalog {
        let pattern = RootPattern { glob: "r".into(), profile: "agentskills".into(), depth: None, configured: false };
        let file = |&(path, role): &(&str, Role)| File::new(path, role, Some(RootId(0)), Body::NotRead);
        let snapshot = Snapshot {
            origin: Origin::Memory,
            time: None,
            roots: vec![pattern.root(0, b"r".as_bstr())],
            files: entries.iter().map(file).collect(),
        };
        Catalog::new(Parsed::new(snapshot, Bounds { bytes: 0, nodes: 0, depth: 0 }))
    }

    #[test]
    fn the_name_of_a_directory_comes_once() {
        let catalog = catalog(&[
            ("r/a/SKILL.md", Role::Skill),
            ("r/a/x/1", Role::Beside),
            ("r/a/x/2", Role::Beside),
            ("r/ab/SKILL.md", Role::Skill),
        ]);
        let paths: Vec<_> = components(&catalog).map(|component| component.path.to_string()).collect();
        assert_eq!(paths, ["r", "r/a", "r/a/SKILL.md", "r/a/x", "r/a/x/1", "r/a/x/2", "r/ab", "r/ab/SKILL.md"]);
    }

    #[test]
    fn a_bad_name_loses_the_skills_below_it_or_the_one_it_lies_in() {
        let catalog = catalog(&[
            ("r", Role::Root),
            ("r-other", Role::Beside),
            ("r/README.md", Role::Beside),
            ("r/bad/a/SKILL.md", Role::Skill),
            ("r/bad/b/SKILL.md", Role::Skill),
            ("r/bad/b/x", Role::Beside),
            ("r/c/SKILL.md", Role::Skill),
            ("r/c/x/worse/1", Role::Beside),
            ("r/c/x/worse/2", Role::Beside),
        ]);
        let lost = |bad: &str| -> Vec<_> {
            losses(&catalog, |name| name == bad).iter().map(|loss| (loss.file.0, loss.skill.map(|id| id.0))).collect()
        };
        assert_eq!(lost("bad"), [(3, Some(0)), (4, Some(1))]);
        assert_eq!(lost("worse"), [(7, Some(2))]);
        assert_eq!(lost("r"), [(3, Some(0)), (4, Some(1)), (6, Some(2))]);
        assert_eq!(lost("README.md"), [(2, None)]);
        assert_eq!(lost("nothing"), []);
    }
}
