//! Form of the prompt block for a runtime.

use serde::{Deserialize, Serialize};

use super::files::Visit;
use super::loads::depth;
use skilltree_skills::roots::Root;

/// Name of the file with the prompt block.
pub const BLOCK_FILE: &str = "available-skills.md";

/// Form of the prompt block for a runtime.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Prompt {
    /// Rendering of the block.
    pub rendering: Rendering,
    /// Rendering for skills that a text mentions, if different: a listing names skills, a mention requests their
    /// bodies.
    #[serde(default)]
    pub mentioned: Option<Rendering>,
    /// Roots that it lists, in addition to those configured for this profile.
    pub roots: Vec<String>,
    /// Maximum depth of a skill directory below its root; `None` for any depth (`"any"` in the file).
    #[serde(deserialize_with = "depth")]
    pub depth: Option<u32>,
    /// Treatment of directories below the root whose names begin with a dot; read if absent.
    #[serde(default)]
    pub hidden: Option<Visit>,
    /// Treatment of symbolic links; followed if absent.
    #[serde(default)]
    pub links: Option<Visit>,
    /// Maximum number of skills for a task, applied before the budget; unlimited if absent.
    #[serde(default)]
    pub top: Option<usize>,
    /// Order of the skills.
    pub order: Order,
    /// Names that are never listed, because they are built-in skills of the runtime.
    #[serde(default)]
    pub reserved: Vec<String>,
    /// Whether a skill without `roles` is skipped if a role is given.
    #[serde(default)]
    pub requires_role: bool,
    /// Command-line modes for each role, for programs that start the runtime: in the index, not in the block.
    #[serde(default)]
    pub modes: Vec<RoleModes>,
    /// Whether the tools of all skills are merged into one set, in which names must be unique.
    #[serde(default)]
    pub merges_tools: bool,
    /// Size limit of the block.
    #[serde(default)]
    pub budget: BlockLimits,
    /// Size limit of one skill.
    #[serde(default)]
    pub each: BlockLimits,
}

impl Prompt {
    /// Returns whether the block lists the skills of a root by its path.
    pub fn lists(&self, root: &Root) -> bool {
        self.roots.iter().any(|known| root.paths().any(|path| path == known.as_str()))
    }
}

/// How the programs of a role are started.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all(deserialize = "kebab-case"), deny_unknown_fields)]
pub struct RoleModes {
    /// The role.
    pub role: String,
    /// The phase of a task in which it works.
    pub phase: String,
    /// The programs.
    pub tools: Vec<ToolMode>,
}

/// How one program is started for a role.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all(deserialize = "kebab-case"), deny_unknown_fields)]
pub struct ToolMode {
    /// The program.
    pub tool: String,
    /// Its mode; `None` for its default.
    #[serde(default)]
    pub mode: Option<String>,
    /// Its option that names a mode; `None` without a mode.
    #[serde(default)]
    pub mode_option: Option<String>,
    /// Its option that names a model; `None` if it has none.
    #[serde(default)]
    pub model_option: Option<String>,
    /// The model to name; `None` for its default.
    #[serde(default)]
    pub model: Option<String>,
}

/// Rendering of a block; each has a module in `prompt/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rendering {
    /// One line per skill under `## Available skills`.
    Symphony,
    /// `<available_skills>` XML.
    Agentskills,
    /// One message per skill, with its body in `<skill>`.
    Messages,
    /// Bodies between the lines `--- Agent Skills ---` and `--- End Agent Skills ---`.
    Swarm,
    /// Bodies under `## Thread Skills`.
    Amacs,
    /// Bodies, one after another.
    Majordomo,
}

/// Order of the skills in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Bytewise by name, then by path.
    Name,
}

/// Size limits of a runtime; an absent limit means unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BlockLimits {
    /// Number of skills.
    pub skills: Option<u64>,
    /// Size of the block in bytes.
    pub bytes: Option<u64>,
    /// Size of the block in code points.
    pub chars: Option<u64>,
    /// Size of the block in estimated tokens.
    pub tokens: Option<u64>,
}
