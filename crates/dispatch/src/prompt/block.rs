//! Assembly of a block: surrounding text, headings of roots, and one fragment per skill.
//!
//! A fragment depends only on its skill, so a dispatcher can cut single skills out of the block.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add as _, Range};

use bstr::BStr;

use super::body::{self, BodyText, Fragment};
use super::material::Contents;
use crate::select::{Names, Position, Size};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::{Root, RootId};
use skilltree_skills::skill::{Skill, SkillId};

/// Shape of a block.
pub(super) struct Shape {
    /// Name of the rendering, as a profile writes it.
    pub(super) name: &'static str,
    /// Text before the skills.
    pub(super) head: &'static str,
    /// Text after the skills.
    pub(super) tail: &'static str,
    /// Separator between two skills of one list.
    pub(super) separator: &'static str,
    /// Grouping of skills by root; `None` for a single list.
    pub(super) sections: Option<Sections>,
    /// Whether the block includes the bodies.
    pub(super) inlines: bool,
    /// Returns why a skill cannot be in a block with the chosen skills.
    pub(super) unfit: fn(&BlockEntry<'_>, &Names) -> Option<String>,
    /// Returns the names of the other skills that a skill cannot be in a block with.
    pub(super) claims: fn(&BlockEntry<'_>, &Names) -> BTreeSet<String>,
    /// Renders one skill.
    pub(super) fragment: fn(&BlockEntry<'_>) -> Fragment,
}

/// Grouping of skills by root.
pub(super) struct Sections {
    /// Renders the heading of a root.
    pub(super) opening: fn(&Catalog, RootId) -> String,
    /// Separator between two roots.
    pub(super) between: &'static str,
}

/// Input for rendering a skill.
#[derive(Clone)]
pub(super) struct BlockEntry<'a> {
    /// The skill.
    pub(super) skill: &'a Skill,
    /// Root of the skill.
    pub(super) root: &'a Root,
    /// Path of its file.
    pub(super) path: &'a BStr,
    /// Body; empty if the block does not include bodies.
    pub(super) body: BodyText<'a>,
}

/// Rendered block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The text.
    pub text: String,
    /// Skills in the order of the block, each with the byte range of its fragment.
    pub fragments: Vec<(SkillId, Range<usize>)>,
    /// Byte ranges of the bodies, by skill. In them, the block has the bytes of the file, with LF line endings.
    pub bodies: BTreeMap<SkillId, Range<usize>>,
    /// Knowledge entries in the block, in order, by index.
    pub learned: Vec<usize>,
}

impl Block {
    /// Returns the size of the block.
    pub fn size(&self) -> Size {
        size(&self.text)
    }
}

impl Shape {
    /// Assembles the block of some skills; empty if there are none.
    pub(super) fn assemble(&self, catalog: &Catalog, contents: &Contents, skills: &[SkillId]) -> Block {
        let mut skills = skills.to_vec();
        if self.sections.is_some() {
            skills.sort_by_key(|&id| catalog.skill(id).root);
        }
        let mut block = Block::default();
        let mut root = None;
        for id in skills {
            let position = match root.replace(catalog.skill(id).root) {
                None => Position::First,
                Some(before) if before == catalog.skill(id).root => Position::Following,
                Some(_) => Position::FirstOfRoot,
            };
            block.text.push_str(&self.introduction(catalog, id, position));
            let start = block.text.len();
            let fragment = (self.fragment)(&self.entry(catalog, contents, id));
            block.text.push_str(&fragment.text);
            block.fragments.push((id, start..block.text.len()));
            block.bodies.extend(fragment.body.map(|body| (id, start + body.start..start + body.end)));
        }
        if !block.fragments.is_empty() {
            block.text.push_str(self.tail);
        }
        block
    }

    /// Returns the size that a skill adds to a block; the sum over all skills is the size of the block.
    pub(super) fn growth(&self, catalog: &Catalog, contents: &Contents, id: SkillId, position: Position) -> Size {
        let tail = if position == Position::First { self.tail } else { "" };
        let parts = [
            self.introduction(catalog, id, position),
            (self.fragment)(&self.entry(catalog, contents, id)).text,
            tail.to_owned(),
        ];
        parts.iter().map(|part| size(part)).fold(Size::default(), Size::add)
    }

    /// Returns the input for rendering a skill.
    pub(super) fn entry<'a>(&self, catalog: &'a Catalog, contents: &'a Contents, id: SkillId) -> BlockEntry<'a> {
        let skill = catalog.skill(id);
        let content = contents.get(&skill.file).filter(|_| self.inlines);
        let body = content.map(|content| body::read(skill, content)).unwrap_or_default();
        BlockEntry { skill, root: catalog.root(skill.root), path: catalog.path(id), body }
    }

    /// Returns the text before a skill, which depends on its position.
    fn introduction(&self, catalog: &Catalog, id: SkillId, position: Position) -> String {
        let mut text = String::new();
        if position == Position::First {
            text.push_str(self.head);
        }
        if matches!(position, Position::FirstOfRoot | Position::Following) {
            text.push_str(self.separator);
        }
        if let (Some(sections), Position::First | Position::FirstOfRoot) = (&self.sections, position) {
            if position == Position::FirstOfRoot {
                text.push_str(sections.between);
            }
            text.push_str(&(sections.opening)(catalog, catalog.skill(id).root));
        }
        text
    }
}

fn size(text: &str) -> Size {
    Size { bytes: text.len(), chars: text.chars().count() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prompt::{agentskills, symphony};
    use skilltree_runtimes::samples::{BOTH, catalog};

    const SKILLS: &[(&str, &[(&str, &str)])] = &[
        (".agent/skills/b/SKILL.md", &[("name", "b"), ("description", "Bé <b>.")]),
        (".agent/skills/d/SKILL.md", &[("name", "d"), ("description", "D.")]),
        (".symphony/skills/a/SKILL.md", &[("name", "a"), ("description", "A 😀.")]),
        (".symphony/skills/c/SKILL.md", &[("name", "c"), ("when_to_use", "C.")]),
    ];

    #[test]
    fn renders_nothing_without_skills() {
        for shape in [&symphony::SHAPE, &agentskills::SHAPE] {
            assert_eq!(shape.assemble(&catalog(BOTH, &[]), &Contents::new(), &[]), Block::default());
        }
    }

    #[test]
    fn fragment_is_independent_of_other_skills() {
        let catalog = catalog(BOTH, SKILLS);
        for shape in [&symphony::SHAPE, &agentskills::SHAPE] {
            let alone: Vec<String> = (0..4)
                .map(SkillId)
                .map(|id| (shape.fragment)(&shape.entry(&catalog, &Contents::new(), id)).text)
                .collect();
            for subset in 0..16_u32 {
                let skills: Vec<SkillId> = (0..4).filter(|bit| subset >> bit & 1 == 1).map(SkillId).collect();
                let block = shape.assemble(&catalog, &Contents::new(), &skills);
                assert_eq!(block.fragments.len(), skills.len());
                for (id, range) in &block.fragments {
                    assert_eq!(block.text[range.clone()], alone[id.index()]);
                }
            }
        }
    }

    #[test]
    fn block_size_equals_sum_of_growth() {
        let catalog = catalog(BOTH, SKILLS);
        let positions = [Position::First, Position::Following, Position::FirstOfRoot, Position::Following];
        for shape in [&symphony::SHAPE, &agentskills::SHAPE] {
            let skills: Vec<SkillId> = (0..4).map(SkillId).collect();
            let grown = skills
                .iter()
                .zip(positions)
                .map(|(&id, position)| shape.growth(&catalog, &Contents::new(), id, position));
            assert_eq!(
                grown.fold(Size::default(), Size::add),
                shape.assemble(&catalog, &Contents::new(), &skills).size()
            );
        }
    }

    proptest! {
        /// Whatever the fields contain, an entry keeps its lines and, in XML, its elements.
        #[test]
        fn values_cannot_break_out_of_an_entry(name in ".*", description in any::<String>(), trigger in any::<String>()) {
            let fields = [("name", &*name), ("description", &*description), ("when_to_use", &*trigger)];
            let catalog = catalog(BOTH, &[(".agent/skills/a/SKILL.md", &fields)]);
            let fragment = |shape: &Shape| (shape.fragment)(&shape.entry(&catalog, &Contents::new(), SkillId(0))).text;
            let line = fragment(&symphony::SHAPE);
            prop_assert!(line.starts_with("- ") && line.lines().count() == 1 && line.ends_with('\n'), "{line:?}");
            let xml = fragment(&agentskills::SHAPE);
            prop_assert_eq!(xml.lines().count(), 11);
            prop_assert_eq!((xml.matches('<').count(), xml.matches('>').count()), (8, 8));
            for text in [line, xml] {
                let hides = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202e}'));
                prop_assert_eq!(text.find(hides), None);
            }
        }
    }
}
