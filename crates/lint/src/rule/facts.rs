//! Facts that a check can use in addition to its subject.

use bstr::{BStr, BString, ByteSlice};

use super::{Copies, Subject};
use skilltree_front_matter::text::{self, FileId};
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::profile::{Profile, Profiles};
use skilltree_runtimes::scope::Scope;
use skilltree_skills::limits::Limits;
use skilltree_skills::name;
use skilltree_skills::roots::{self, Root};
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::{File, Role};

/// Facts that a check can use in addition to its subject.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Every file.
    pub files: &'a [File],
    /// Every root.
    pub roots: &'a [Root],
    /// Limits in force.
    pub limits: &'a Limits,
    /// Known profiles.
    pub profiles: &'a Profiles,
    /// Settings of the prompt block.
    pub dispatch: &'a Dispatch,
    /// Targets, by profile name.
    pub targets: &'a [String],
    /// Profiles that have to load the skills of each root.
    pub scope: &'a Scope<'a>,
    /// Roots that hold copies of the same skills.
    pub copies: &'a Copies,
    /// Whether `--root` names skills directories, so that no others are searched.
    pub root_option: bool,
    /// What a check reads as a skill.
    pub text: Text,
}

/// What a check reads as a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// A skill.
    Skill,
    /// A command of the project.
    Command,
    /// A command of a plugin.
    PluginCommand,
    /// The front matter of an agent, and the placeholders in its text.
    Agent,
    /// The same of an agent of a plugin.
    PluginAgent,
}

impl Text {
    /// Returns whether it is that of an agent.
    pub(crate) fn is_agent(self) -> bool {
        matches!(self, Self::Agent | Self::PluginAgent)
    }

    /// Returns whether it is a command or an agent of a plugin.
    pub(crate) fn is_of_plugin(self) -> bool {
        matches!(self, Self::PluginCommand | Self::PluginAgent)
    }

    /// Returns the noun for it.
    pub(crate) fn noun(self) -> &'static str {
        if self == Self::Skill { "skill" } else { "command" }
    }

    /// Returns the fields with names of tools.
    pub(crate) fn tool_fields(self) -> [&'static str; 2] {
        if self.is_agent() { ["tools", "disallowedTools"] } else { ["allowed-tools", "disallowed-tools"] }
    }

    /// Returns the placeholder for the directory with the files of its author.
    pub(crate) fn directory(self) -> &'static str {
        match self {
            Self::Skill => "${CLAUDE_SKILL_DIR}",
            Self::Command | Self::Agent => "${CLAUDE_PROJECT_DIR}",
            Self::PluginCommand | Self::PluginAgent => "${CLAUDE_PLUGIN_ROOT}",
        }
    }
}

/// Settings of the prompt block: `agent.skills` of WORKFLOW.md, and the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// `agent.skills.enabled`: `false` writes an empty block.
    pub enabled: bool,
    /// Cap on the skills in a block. If it is `None`, the default of 50 applies to Symphony's roots.
    pub cap: Option<u64>,
    /// Whether WORKFLOW.md has `agent.skills`: the default block is then Symphony's.
    pub workflow: bool,
}

impl<'a> Facts<'a> {
    /// Returns a file by its id.
    pub fn file(&self, file: FileId) -> &'a File {
        &self.files[file.index()]
    }

    /// Returns the root of a skill.
    pub fn root(&self, skill: &Skill) -> &'a Root {
        &self.roots[skill.root.index()]
    }

    /// Returns the targets and the runtime of the skill's root, sorted by title.
    pub fn selected(&self, skill: &Skill) -> Vec<&'a Profile> {
        let ids = self.targets.iter().chain([&self.root(skill).profile]);
        let mut selected: Vec<&Profile> = ids.filter_map(|id| self.profiles.find(id)).collect();
        selected.sort_by(|a, b| a.title.cmp(&b.title));
        selected.dedup_by(|a, b| a.id == b.id);
        selected
    }

    /// Returns whether the `name` of a skill must equal its directory. It need not for a skill directly in the root,
    /// which has no separate directory, nor for a nested skill, which usually combines both names.
    pub(crate) fn is_named_by_directory(&self, skill: &Skill) -> bool {
        skill.depth > 0 && !skill.directory.is_empty() && !self.is_nested(skill)
    }

    /// Returns the only valid name for the directory of a skill. `None` if other names are valid too, or if the
    /// directory name is malformed.
    pub(crate) fn directory_name<'s>(&self, skill: &'s Skill) -> Option<&'s str> {
        let directory = std::str::from_utf8(&skill.directory).ok()?;
        (name::is_well_formed(directory) && self.is_named_by_directory(skill)).then_some(directory)
    }

    /// Returns whether a name is well formed and matches the directory if it must.
    pub(crate) fn is_valid_name(&self, skill: &Skill, name: &str) -> bool {
        let same = name.as_bytes() == skill.directory.as_slice();
        name::is_well_formed(name) && (same || !self.is_named_by_directory(skill))
    }

    /// Returns whether a skill is nested in the directory of another skill.
    pub fn is_nested(&self, skill: &Skill) -> bool {
        self.outer_skill(skill).is_some()
    }

    /// See [`catalog::outer_skill`].
    pub(crate) fn outer_skill(&self, skill: &Skill) -> Option<FileId> {
        catalog::outer_skill(skill, self.files, self.roots)
    }

    /// Returns the path of a file from the directory of a skill.
    pub(crate) fn path_in_skill(&self, skill: &Skill, file: FileId) -> Option<&'a BStr> {
        let directory = text::parent(self.file(skill.file).path.as_bstr());
        roots::relative(self.file(file).path.as_bstr(), directory)
    }

    /// Returns the files in the directory of a skill, by relative path.
    pub(crate) fn skill_files(&self, skill: &Skill) -> impl Iterator<Item = &'a BStr> {
        let sorted = catalog::sorted(self.files);
        let directory = BString::from([text::parent(self.file(skill.file).path.as_bstr()).as_bytes(), b"/"].concat());
        let first = sorted.partition_point(|file| file.path < directory);
        sorted[first..].iter().map_while(move |file| Some(file.path.strip_prefix(directory.as_slice())?.as_bstr()))
    }
}

/// Returns every root and every skill with its file, for checks that treat both alike.
pub fn places(catalog: &Catalog) -> impl Iterator<Item = (Subject, FileId, &File)> {
    let roots = catalog.files().filter(|(_, file)| file.role == Role::Root);
    let roots = roots.filter_map(|(id, file)| Some((Subject::Root(file.root?), id, file)));
    roots.chain(catalog.skills().map(|(id, skill)| (Subject::Skill(id), skill.file, catalog.file(skill.file))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_skills::roots::{Owner, RootId};
    use skilltree_skills::skill::{Agreement, References};
    use skilltree_skills::snapshot::Body;

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
            references: References::default(),
            answers: Vec::new(),
            header: BString::default(),
            agreement: Agreement::default(),
        }
    }

    #[test]
    fn nests_skills_only_below_other_skills() {
        let root = Root {
            path: "s".into(),
            owner: Owner::Repository,
            profile: "agentskills".into(),
            depth: None,
            pattern: 0,
            configured: false,
            matched: false,
            package: None,
            ..Root::default()
        };
        let paths = ["s/SKILL.md", "s/a/SKILL.md", "s/a/b/c/SKILL.md", "s/group/d/SKILL.md", "SKILL.md"];
        let roles = [Role::Skill, Role::Skill, Role::Skill, Role::Skill, Role::Config];
        let files: Vec<File> = paths
            .iter()
            .zip(roles)
            .map(|(path, role)| File::new(*path, role, Some(RootId(0)), Body::NotRead))
            .collect();
        let (roots, profiles) = ([root], Profiles::default());
        let facts = Facts {
            files: &files,
            roots: &roots,
            limits: &Limits::default(),
            profiles: &profiles,
            dispatch: &Dispatch { enabled: true, cap: None, workflow: false },
            targets: &[],
            scope: &Scope::new(&roots, &[], &profiles),
            copies: &Copies::default(),
            root_option: false,
            text: Text::Skill,
        };
        let nested: Vec<bool> = (0..4).map(|file| facts.is_nested(&skill(file))).collect();
        assert_eq!(nested, [false, false, true, false]);
    }
}
