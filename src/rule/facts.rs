//! What a rule may look at beside its subject.

use bstr::{BStr, BString, ByteSlice};

use super::{Copies, Subject};
use crate::catalog::{self, Catalog};
use crate::limits::Limits;
use crate::name;
use crate::profile::{Profile, Profiles};
use crate::roots::Root;
use crate::skill::Skill;
use crate::snapshot::{File, Role};
use crate::text::{self, FileId};

/// What a rule may look at beside its subject.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Every file.
    pub files: &'a [File],
    /// Every root.
    pub roots: &'a [Root],
    /// The numbers in force.
    pub limits: &'a Limits,
    /// The profiles known.
    pub profiles: &'a Profiles,
    /// What decides about the prompt block.
    pub dispatch: &'a Dispatch,
    /// The runtimes that the skills must work in, by the names of their profiles.
    pub targets: &'a [String],
    /// Which roots are meant to hold the same skills.
    pub copies: &'a Copies,
}

/// What decides about the prompt block: WORKFLOW.md's `agent.skills`, and the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// `agent.skills.enabled`: `false` writes an empty block.
    pub enabled: bool,
    /// The cap of skills in a block; `None` when nothing sets one, and the default of 50 holds for symphony's roots.
    pub cap: Option<u64>,
}

impl<'a> Facts<'a> {
    /// A file by its number.
    pub fn file(&self, file: FileId) -> &'a File {
        &self.files[file.index()]
    }

    /// The root of a skill.
    pub fn root(&self, skill: &Skill) -> &'a Root {
        &self.roots[skill.root.index()]
    }

    /// The runtimes that a skill has to work in, sorted by their titles: of those that somebody selected and that of its root
    /// the ones that are wanted, by their ids.
    pub fn selected(&self, skill: &Skill, is_wanted: impl Fn(&str) -> bool) -> Vec<&'a Profile> {
        let ids = self.targets.iter().chain([&self.root(skill).profile]).filter(|id| is_wanted(id));
        let mut selected: Vec<&Profile> = ids.filter_map(|id| self.profiles.find(id)).collect();
        selected.sort_by(|a, b| a.title.cmp(&b.title));
        selected.dedup_by(|a, b| a.id == b.id);
        selected
    }

    /// Whether a skill's `name` has to be the name of its directory: not in the root itself, where there is no directory of
    /// its own, and not below another skill, where it is mostly named after both.
    pub fn is_named_by_directory(&self, skill: &Skill) -> bool {
        skill.depth > 0 && !skill.directory.is_empty() && !self.is_nested(skill)
    }

    /// The only name that a skill can have beside its directory; `None` where it may have another, or the directory's name
    /// is no name.
    pub fn directory_name<'s>(&self, skill: &'s Skill) -> Option<&'s str> {
        let directory = std::str::from_utf8(&skill.directory).ok()?;
        (name::is_well_formed(directory) && self.is_named_by_directory(skill)).then_some(directory)
    }

    /// Whether a name is well formed, and none that the directory forbids.
    pub fn is_right_name(&self, skill: &Skill, name: &str) -> bool {
        let same = name.as_bytes() == skill.directory.as_slice();
        name::is_well_formed(name) && (same || !self.is_named_by_directory(skill))
    }

    /// Whether a skill lies below another skill's directory.
    pub fn is_nested(&self, skill: &Skill) -> bool {
        self.outer_skill(skill).is_some()
    }

    /// See [`catalog::outer_skill`].
    pub fn outer_skill(&self, skill: &Skill) -> Option<FileId> {
        catalog::outer_skill(skill, self.files, self.roots)
    }

    /// The files in a skill's directory, by their paths from there.
    pub fn beside(&self, skill: &Skill) -> impl Iterator<Item = &'a BStr> {
        let sorted = catalog::sorted(self.files);
        let directory = BString::from([text::parent(self.file(skill.file).path.as_bstr()).as_bytes(), b"/"].concat());
        let first = sorted.partition_point(|file| file.path < directory);
        sorted[first..].iter().map_while(move |file| Some(file.path.strip_prefix(directory.as_slice())?.as_bstr()))
    }
}

/// Every root and every skill with the file at its place: what stands in the way of the one stands in the way of the
/// other.
pub fn places(catalog: &Catalog) -> impl Iterator<Item = (Subject, FileId, &File)> {
    let roots = catalog.files().filter(|(_, file)| file.role == Role::Root);
    let roots = roots.filter_map(|(id, file)| Some((Subject::Root(file.root?), id, file)));
    roots.chain(catalog.skills().map(|(id, skill)| (Subject::Skill(id), skill.file, catalog.file(skill.file))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roots::{Owner, RootId};
    use crate::snapshot::Body;

    fn skill(file: u32) -> Skill {
        Skill {
            file: FileId(file),
            root: RootId(0),
            directory: BString::default(),
            depth: 1,
            front_matter: None,
            body: None,
            faults: Vec::new(),
            ignores: Vec::new(),
            header: BString::default(),
            behind: None,
        }
    }

    #[test]
    fn a_skill_is_nested_below_a_skill_and_not_below_a_plain_directory() {
        let root = Root {
            path: "s".into(),
            owner: Owner::Repository,
            profile: "agentskills".into(),
            depth: None,
            pattern: 0,
            configured: false,
            matched: false,
        };
        let paths = ["s/SKILL.md", "s/a/SKILL.md", "s/a/b/c/SKILL.md", "s/group/d/SKILL.md", "SKILL.md"];
        let roles = [Role::Skill, Role::Skill, Role::Skill, Role::Skill, Role::Config];
        let files: Vec<File> = paths
            .iter()
            .zip(roles)
            .map(|(path, role)| File::new(*path, role, Some(RootId(0)), Body::NotRead))
            .collect();
        let facts = Facts {
            files: &files,
            roots: &[root],
            limits: &Limits::default(),
            profiles: &Profiles::default(),
            dispatch: &Dispatch { enabled: true, cap: None },
            targets: &[],
            copies: &Copies::default(),
        };
        let nested: Vec<bool> = (0..4).map(|file| facts.is_nested(&skill(file))).collect();
        assert_eq!(nested, [false, false, true, false]);
    }
}
