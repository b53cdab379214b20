//! `agents/openai.yaml` next to a SKILL.md, which some runtimes read in addition to the front matter.

use bstr::BStr;

use super::Skill;
use super::references::owned_if;
use crate::roots;
use crate::snapshot::{File, Role};
use skilltree_front_matter::text::{self, FileId};
use skilltree_front_matter::{self as front_matter, Bounds, Fault, Node};

/// The path of the file from the directory of its skill.
pub const AGENT_FILE: &str = "agents/openai.yaml";

/// The file of a skill, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentFile {
    /// Its file.
    pub file: FileId,
    /// Its bytes.
    pub bytes: u32,
    /// The root of its YAML; `None` if it is empty or could not be parsed.
    pub root: Option<Node>,
    /// Its faults.
    pub faults: Vec<Fault>,
}

/// Returns the entries at that path, each with the index of its skill.
pub(crate) fn owned(files: &[File], skills: &[Skill]) -> Vec<(FileId, usize)> {
    let is_wanted = |file: &File| file.role == Role::Other && file.path.ends_with(AGENT_FILE.as_bytes());
    let mut owned = owned_if(files, skills, is_wanted);
    owned.retain(|&(id, skill)| {
        let directory = text::parent(files[skills[skill].file.index()].path.as_ref());
        roots::relative(files[id.index()].path.as_ref(), directory) == Some(BStr::new(AGENT_FILE))
    });
    owned
}

/// Parses the file.
pub(crate) fn parse(file: FileId, bytes: &[u8], bounds: Bounds) -> AgentFile {
    let front_matter::Values { root, faults } = front_matter::yaml_file(file, bytes, bounds);
    AgentFile { file, bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX), root, faults }
}
