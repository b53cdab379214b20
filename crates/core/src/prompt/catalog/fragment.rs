//! What a skill adds to a block, in parts: the text before its body, the body, and the text after it.

use std::borrow::Cow;

use bstr::ByteSlice;
use serde::Serialize;

use crate::catalog::Catalog;
use crate::prompt::block::{BlockEntry, Shape};
use crate::prompt::body;
use crate::prompt::material::Contents;
use crate::skill::{Skill, SkillId};

/// The part of a file that blocks contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Inlined {
    /// The bytes of the file.
    offset: usize,
    length: usize,
    /// The size in a block, where line endings are LF.
    bytes: usize,
    chars: usize,
    /// The text in a block, if it is not those bytes with LF line endings.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Inlined {
    pub(super) fn new(skill: &Skill, content: &[u8]) -> Self {
        let text = body::text(skill, content);
        let start = skill.body.as_ref().map_or(0, |body| body.start as usize);
        let raw = content.get(start..).unwrap_or_default();
        // Blank lines around the text are the only bytes that a block omits.
        let end = raw.trim_end().len();
        let first = end - raw[..end].trim_start().len();
        let line = raw[..first].rfind_byteset(b"\r\n").map_or(0, |feed| feed + 1);
        let (offset, length) = (start + line, end - line);
        let bytes = &content[offset.min(content.len())..(offset + length).min(content.len())];
        let is_plain = bytes.replace("\r\n", "\n") == text.as_bytes();
        Self {
            offset,
            length,
            bytes: text.len(),
            chars: text.chars().count(),
            text: (!is_plain).then(|| text.into_owned()),
        }
    }
}

/// The parts of a fragment around the body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Parts {
    before: String,
    after: String,
    /// Why the rendering never contains the skill.
    dropped: Option<String>,
}

/// Splits the fragment of a skill around its body. All of it is `before` if the rendering contains no body.
pub(super) fn parts(shape: &Shape, catalog: &Catalog, contents: &Contents, id: SkillId) -> Parts {
    let entry = shape.entry(catalog, contents, id);
    let dropped = (shape.unfit)(&entry);
    let with = |body: &str| (shape.fragment)(&BlockEntry { body: Cow::Owned(body.to_owned()), ..entry.clone() });
    let empty = with("");
    if !shape.inlines {
        return Parts { before: empty, after: String::new(), dropped };
    }
    // A mark that the rest of the fragment does not contain.
    let mut mark = "body".to_owned();
    while empty.contains(&mark) {
        mark.push('y');
    }
    let marked = with(&mark);
    let (before, after) = marked.split_once(&mark).unwrap_or((&marked, ""));
    Parts { before: before.to_owned(), after: after.to_owned(), dropped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{amacs, messages, swarm};
    use crate::samples::{BOTH, catalog};

    #[test]
    fn splits_around_a_body_that_names_resemble() {
        let path = ".agent/skills/body-bodyy-y/SKILL.md";
        let catalog = catalog(BOTH, &[(path, &[("name", "body-bodyy-y"), ("description", "A.")])]);
        let split = |shape| parts(shape, &catalog, &Contents::new(), SkillId(0));
        let (swarm, amacs, message) = (split(&swarm::SHAPE), split(&amacs::SHAPE), split(&messages::SHAPE));
        assert_eq!((&*swarm.before, &*swarm.after), ("### body-bodyy-y\n", "\n\n"));
        assert_eq!((&*amacs.before, &*amacs.after), ("### body-bodyy-y\n\n", ""));
        let start = "{\"role\":\"user\",\"content\":\"<skill>\\n<name>body-bodyy-y</name>\\n<path>";
        assert!(message.before.starts_with(start) && message.before.ends_with("SKILL.md</path>\\n"), "{message:?}");
        assert_eq!(message.after, "\\n</skill>\\n\",\"meta\":{\"skill\":true}}\n");
    }
}
