//! What our artifact for a runtime looks like.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::files::Visit;
use super::loads::depth;

/// What our artifact for a runtime looks like.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Prompt {
    /// The form of the block.
    pub rendering: Rendering,
    /// The form for skills that a text mentions, where that is another: a listing says what there is, a mention asks for
    /// the bodies.
    #[serde(default)]
    pub mentioned: Option<Rendering>,
    /// The roots whose skills it lists, besides those that the configuration gives this profile.
    pub roots: Vec<String>,
    /// How deep below a root a skill's directory may be; `None` when at any depth (`"any"` in the file).
    #[serde(deserialize_with = "depth")]
    pub depth: Option<u32>,
    /// What lies below a directory whose name begins with a dot, below the root; it is read when this is absent.
    #[serde(default)]
    pub hidden: Option<Visit>,
    /// What is reached through a symbolic link; it is read when this is absent.
    #[serde(default)]
    pub links: Option<Visit>,
    /// How many skills a task gets, before the budget is looked at; all that fit when it is absent.
    #[serde(default)]
    pub top: Option<usize>,
    /// The order of the skills.
    pub order: Order,
    /// Names that are never listed, because the runtime always has those skills.
    #[serde(default)]
    pub reserved: Vec<String>,
    /// Which mode of a command line suits which role, for whoever starts one: in the index, not in the block.
    #[serde(default)]
    pub modes: BTreeMap<String, String>,
    /// Whether the tools of the skills become one set, in which no name may stand twice.
    #[serde(default)]
    pub merges_tools: bool,
    /// What the runtime has room for.
    #[serde(default)]
    pub budget: Room,
    /// What the runtime has room for in one skill.
    #[serde(default)]
    pub each: Room,
}

/// The form of a block; each has a file in `prompt/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rendering {
    /// One line a skill under `## Available skills`.
    Symphony,
    /// `<available_skills>` XML.
    Agentskills,
    /// A message a skill, with its body in `<skill>`.
    Messages,
    /// Bodies between `--- Agent Skills ---` and its end.
    Swarm,
    /// Bodies under `## Thread Skills`.
    Amacs,
    /// Bodies, one after the other.
    Majordomo,
}

/// The order of the skills in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Bytewise by name, then by path.
    Name,
}

/// What a runtime has room for; nothing is limited by what is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Room {
    /// Skills.
    pub skills: Option<u64>,
    /// Bytes of the block.
    pub bytes: Option<u64>,
    /// Code points of the block.
    pub chars: Option<u64>,
    /// Estimated tokens of the block.
    pub tokens: Option<u64>,
}
