//! Keys of skills.json, in order.

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::ByteSlice;
use serde::Serialize;

use crate::prompt::facts::SkillFacts;
use crate::prompt::material::SourceError;
use crate::select::Caps;
use skilltree_runtimes::profile::RoleModes;

/// Name and version of the schema.
pub(in crate::prompt) const SCHEMA: &str = "skilltree/prompt-index/v1";

/// Returns whether a file with these first bytes is an index, of any version.
pub fn is_index(start: &[u8]) -> bool {
    start.contains_str("\"skilltree/prompt-index/")
}

#[derive(Serialize)]
pub(in crate::prompt) struct Index<'a> {
    pub(in crate::prompt) schema: &'static str,
    pub(in crate::prompt) generator: Generator,
    pub(in crate::prompt) disabled: bool,
    pub(in crate::prompt) source: SourceUsed,
    pub(in crate::prompt) recipe: RecipeUsed<'a>,
    pub(in crate::prompt) block: BlockFacts,
    pub(in crate::prompt) skills: Vec<Listed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::prompt) learned: Vec<Lesson>,
    pub(in crate::prompt) dropped: Vec<DroppedSkill>,
    pub(in crate::prompt) shadowed: Vec<ShadowedSkill>,
    pub(in crate::prompt) skipped: Vec<SkippedSkill>,
    pub(in crate::prompt) errors: Vec<SourceError>,
    pub(in crate::prompt) tag_index: BTreeMap<String, Vec<String>>,
    pub(in crate::prompt) modes: Modes,
}

#[derive(Serialize)]
pub(in crate::prompt) struct Generator {
    pub(in crate::prompt) name: &'static str,
    pub(in crate::prompt) version: &'static str,
}

impl Generator {
    /// Returns the name and version of this program.
    pub(in crate::prompt) fn this() -> Self {
        Self { name: "skilltree", version: env!("CARGO_PKG_VERSION") }
    }
}

#[derive(Serialize)]
pub(in crate::prompt) struct SourceUsed {
    pub(in crate::prompt) digest: Option<String>,
    pub(in crate::prompt) roots: Vec<RootTree>,
    pub(in crate::prompt) config: Vec<ConfigBlob>,
}

#[derive(Serialize)]
pub(in crate::prompt) struct RootTree {
    pub(in crate::prompt) path: String,
    pub(in crate::prompt) tree: Option<String>,
}

#[derive(Serialize)]
pub(in crate::prompt) struct ConfigBlob {
    pub(in crate::prompt) path: String,
    pub(in crate::prompt) blob: Option<String>,
}

#[derive(Serialize)]
pub(in crate::prompt) struct RecipeUsed<'a> {
    pub(in crate::prompt) profile: &'a str,
    pub(in crate::prompt) options: &'a [String],
    pub(in crate::prompt) template: Option<TemplateUsed>,
    pub(in crate::prompt) selection: SelectionUsed<'a>,
    pub(in crate::prompt) matcher: Option<&'static str>,
    pub(in crate::prompt) budget: CapsUsed,
    pub(in crate::prompt) each: CapsUsed,
    pub(in crate::prompt) limits: CapsUsed,
}

#[derive(Serialize)]
pub(in crate::prompt) struct TemplateUsed {
    pub(in crate::prompt) path: String,
    pub(in crate::prompt) sha256: String,
}

#[derive(Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(in crate::prompt) enum SelectionUsed<'a> {
    All,
    Task {
        task: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        task_id: Option<&'a str>,
        role: Option<&'a str>,
        top: Option<usize>,
    },
    Mention {
        text: &'a str,
    },
    Name {
        names: &'a [String],
    },
    Thread {
        thread: &'a str,
        names: &'a [String],
    },
}

#[derive(Serialize)]
pub(in crate::prompt) struct CapsUsed {
    pub(in crate::prompt) skills: Option<u64>,
    pub(in crate::prompt) bytes: Option<u64>,
    pub(in crate::prompt) chars: Option<u64>,
    pub(in crate::prompt) tokens: Option<u64>,
}

impl CapsUsed {
    pub(in crate::prompt) fn new(caps: &Caps) -> Self {
        Self { skills: caps.skills, bytes: caps.bytes, chars: caps.chars, tokens: caps.tokens }
    }
}

#[derive(Serialize)]
pub(in crate::prompt) struct BlockFacts {
    pub(in crate::prompt) path: &'static str,
    pub(in crate::prompt) sha256: String,
    pub(in crate::prompt) bytes: usize,
    pub(in crate::prompt) chars: usize,
    pub(in crate::prompt) tokens: usize,
}

#[derive(Serialize)]
pub(in crate::prompt) struct Listed {
    #[serde(flatten)]
    pub(in crate::prompt) skill: SkillFacts,
    pub(in crate::prompt) fragment: ByteRange,
    pub(in crate::prompt) body_range: Option<ByteRange>,
}

#[derive(Serialize)]
pub(in crate::prompt) struct ByteRange {
    start: usize,
    end: usize,
}

impl From<&Range<usize>> for ByteRange {
    fn from(range: &Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

#[derive(Serialize)]
pub(in crate::prompt) struct Lesson {
    pub(in crate::prompt) content: String,
    pub(in crate::prompt) category: String,
    pub(in crate::prompt) contributor: String,
    pub(in crate::prompt) content_hash: String,
    pub(in crate::prompt) line: usize,
}

#[derive(Serialize)]
pub(in crate::prompt) struct DroppedSkill {
    pub(in crate::prompt) name: String,
    pub(in crate::prompt) body_path: String,
    pub(in crate::prompt) reason: &'static str,
    pub(in crate::prompt) detail: String,
}

#[derive(Serialize)]
pub(in crate::prompt) struct ShadowedSkill {
    pub(in crate::prompt) name: String,
    pub(in crate::prompt) body_path: String,
    pub(in crate::prompt) by: String,
}

#[derive(Serialize)]
pub(in crate::prompt) struct SkippedSkill {
    pub(in crate::prompt) body_path: String,
    pub(in crate::prompt) problems: Vec<ProblemFound>,
}

#[derive(Serialize)]
pub(in crate::prompt) struct ProblemFound {
    pub(in crate::prompt) rule: String,
    pub(in crate::prompt) message: String,
    pub(in crate::prompt) line: u32,
    pub(in crate::prompt) column: u32,
}

#[derive(Serialize)]
pub(in crate::prompt) struct Modes {
    pub(in crate::prompt) roles: Vec<RoleModes>,
}
