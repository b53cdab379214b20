//! Facts about a skill for skills.json and for templates.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::line::{one_line, open_path};
use super::material::Contents;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{Skill, SkillId};

/// Keys are in the order of skills.json.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct SkillFacts {
    pub(super) name: String,
    description: String,
    when_to_use: Option<String>,
    short_description: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) roles: Vec<String>,
    scope: Option<String>,
    tools: Vec<String>,
    body_path: Option<String>,
    blob: Option<String>,
    sha256: Option<String>,
    body: BodySize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct BodySize {
    /// The first byte of the first line with text after the closing fence, and the number of bytes from there to the end of the last one.
    offset: u32,
    length: u32,
    lines: u32,
    chars: u32,
    tokens: usize,
    /// The bytes as text, if a catalog embeds them.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl SkillFacts {
    pub(super) fn new(catalog: &Catalog, id: SkillId, contents: &Contents) -> Self {
        let skill = catalog.skill(id);
        let value = |key: &str| skill.scalar(key).map(one_line);
        let body = skill.body.clone().unwrap_or_default();
        Self {
            name: name(skill),
            description: value("description").unwrap_or_default(),
            when_to_use: value("when_to_use"),
            short_description: short_description(skill),
            tags: words(skill, "tags"),
            roles: words(skill, "roles"),
            scope: value("scope"),
            tools: words(skill, "tools"),
            body_path: open_path(catalog.root(skill.root), catalog.path(id)),
            blob: Some(catalog.file(skill.file))
                .filter(|file| file.is_stored)
                .and_then(|file| file.id)
                .map(|id| id.to_string()),
            sha256: contents.get(&skill.file).map(|content| sha256(content)),
            body: BodySize {
                offset: body.inner.start,
                length: body.inner.end.saturating_sub(body.inner.start),
                lines: body.lines,
                chars: body.chars,
                tokens: text::tokens(body.chars as usize),
                text: None,
            },
        }
    }

    /// Embeds the text of the body.
    pub(super) fn embed(&mut self, content: &[u8]) {
        let start = self.body.offset as usize;
        let body = content.get(start..start + self.body.length as usize).unwrap_or_default();
        self.body.text = Some(String::from_utf8_lossy(body).into_owned());
    }
}

pub(super) fn name(skill: &Skill) -> String {
    one_line(&skill.shown_name())
}

/// Returns `metadata.short-description` on one line.
pub fn short_description(skill: &Skill) -> Option<String> {
    let value = skill.metadata("short-description")?.scalar()?;
    Some(one_line(value)).filter(|line| !line.is_empty())
}

fn words(skill: &Skill, key: &str) -> Vec<String> {
    skill.words(key).into_iter().map(one_line).collect()
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
