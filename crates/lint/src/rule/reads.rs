//! What a rule reads.

/// What a rule reads besides the settings, SKILL.md files, and the names and modes of the files in the skills directories. A prompt reads
/// only what the rules that can keep skills out of it need, and its digest covers only skills directories and settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing else.
    Skill,
    /// The links and paths in the text of SKILL.md, and the files of the skills directories that they lead to.
    Links,
    /// The contents of the other files in the skill directory. A prompt reads none of them.
    Directory,
    /// The files anywhere in the repository that a skill refers to.
    Repository,
    /// Files around the skills directories, such as lists of skills and manifests of plugins. No finding is about a skill.
    Surroundings,
    /// Which files of the working tree Git tracks.
    Index,
    /// The skills of the base. A prompt has none.
    Base,
    /// The shared knowledge of agents.
    Knowledge,
    /// The threads of agents.
    Threads,
    /// The settings and the ignores, those of the base too. No finding is about a skill.
    Settings,
}

impl Reads {
    /// Returns whether the links of a skill must be resolved.
    pub(crate) fn follows_links(self) -> bool {
        matches!(self, Self::Links | Self::Repository)
    }

    /// Returns whether findings of a prompt, which has no base, depend on more than the skills directories and the settings.
    pub(crate) fn leaves_skills_directories(self) -> bool {
        matches!(self, Self::Repository | Self::Index)
    }
}
