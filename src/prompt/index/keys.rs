//! The keys of skills.json, in their order.

use std::collections::BTreeMap;

use serde::Serialize;

/// The name and the version of the schema.
pub(super) const SCHEMA: &str = "skilltree/prompt-index/v1";

#[derive(Serialize)]
pub(super) struct Index<'a> {
    pub(super) schema: &'static str,
    pub(super) generator: Generator,
    pub(super) disabled: bool,
    pub(super) source: Source,
    pub(super) recipe: RecipeUsed<'a>,
    pub(super) block: BlockFacts,
    pub(super) skills: Vec<Listed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) learned: Vec<Lesson>,
    pub(super) dropped: Vec<DroppedSkill>,
    pub(super) shadowed: Vec<ShadowedSkill>,
    pub(super) skipped: Vec<SkippedSkill>,
    pub(super) errors: Vec<SourceError>,
    pub(super) tag_index: BTreeMap<String, Vec<String>>,
    pub(super) modes: Modes,
}

#[derive(Serialize)]
pub(super) struct Generator {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

#[derive(Serialize)]
pub(super) struct Source {
    pub(super) roots: Vec<RootTree>,
    pub(super) config: Vec<ConfigBlob>,
}

#[derive(Serialize)]
pub(super) struct RootTree {
    pub(super) path: String,
    pub(super) tree: Option<String>,
}

#[derive(Serialize)]
pub(super) struct ConfigBlob {
    pub(super) path: String,
    pub(super) blob: Option<String>,
}

#[derive(Serialize)]
pub(super) struct RecipeUsed<'a> {
    pub(super) profile: &'a str,
    pub(super) selection: SelectionUsed<'a>,
    pub(super) matcher: Option<&'static str>,
    pub(super) budget: CapsUsed,
    pub(super) each: CapsUsed,
    pub(super) limits: CapsUsed,
}

#[derive(Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(super) enum SelectionUsed<'a> {
    All,
    Task { task: &'a str, role: Option<&'a str>, top: Option<usize> },
    Mention { text: &'a str },
    Name { names: &'a [String] },
    Thread { thread: &'a str, names: &'a [String] },
}

#[derive(Serialize)]
pub(super) struct CapsUsed {
    pub(super) skills: Option<u64>,
    pub(super) bytes: Option<u64>,
    pub(super) chars: Option<u64>,
    pub(super) tokens: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct BlockFacts {
    pub(super) path: &'static str,
    pub(super) sha256: String,
    pub(super) bytes: usize,
    pub(super) chars: usize,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) when_to_use: Option<String>,
    pub(super) short_description: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) roles: Vec<String>,
    pub(super) scope: Option<String>,
    pub(super) tools: Vec<String>,
    pub(super) body_path: String,
    pub(super) blob: Option<String>,
    pub(super) sha256: Option<String>,
    pub(super) body: BodySize,
    pub(super) fragment: Fragment,
}

#[derive(Serialize)]
pub(super) struct BodySize {
    pub(super) lines: u32,
    pub(super) chars: u32,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct Fragment {
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Serialize)]
pub(super) struct Lesson {
    pub(super) content: String,
    pub(super) category: String,
    pub(super) contributor: String,
    pub(super) content_hash: String,
    pub(super) line: usize,
}

#[derive(Serialize)]
pub(super) struct DroppedSkill {
    pub(super) name: String,
    pub(super) body_path: String,
    pub(super) reason: &'static str,
    pub(super) detail: String,
}

#[derive(Serialize)]
pub(super) struct ShadowedSkill {
    pub(super) name: String,
    pub(super) body_path: String,
    pub(super) by: String,
}

#[derive(Serialize)]
pub(super) struct SkippedSkill {
    pub(super) body_path: String,
    pub(super) problems: Vec<ProblemFound>,
}

#[derive(Serialize)]
pub(super) struct ProblemFound {
    pub(super) rule: String,
    pub(super) message: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

#[derive(Serialize)]
pub(super) struct SourceError {
    pub(super) source: String,
    pub(super) message: String,
}

#[derive(Serialize)]
pub(super) struct Modes {
    pub(super) cli: BTreeMap<String, String>,
}
