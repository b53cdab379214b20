//! A block from its parts: what surrounds it, what introduces a root, and a fragment a skill.
//!
//! A fragment depends on its skill alone, so a dispatcher that takes some of the skills can cut them out of the block.

use std::borrow::Cow;
use std::ops::Range;

use bstr::BStr;

use super::body;
use super::material::Contents;
use crate::catalog::Catalog;
use crate::roots::Root;
use crate::select::{Size, Stand};
use crate::skill::{Skill, SkillId};

/// The form of a block.
pub(super) struct Shape {
    /// What stands before everything.
    pub(super) head: &'static str,
    /// What stands behind everything.
    pub(super) tail: &'static str,
    /// What stands between two skills of one list.
    pub(super) separator: &'static str,
    /// How the skills are put under their roots; `None` when they stand in one list.
    pub(super) sections: Option<Sections>,
    /// Whether the bodies stand in the block.
    pub(super) inlines: bool,
    /// Why a skill cannot be rendered without leaving its place.
    pub(super) unfit: fn(&Entry<'_>) -> Option<String>,
    /// One skill.
    pub(super) fragment: fn(&Entry<'_>) -> String,
}

/// How skills are put under their roots.
pub(super) struct Sections {
    /// What introduces a root.
    pub(super) opening: fn(&Root) -> String,
    /// What stands between two roots.
    pub(super) between: &'static str,
}

/// A skill as a rendering sees it.
pub(super) struct Entry<'a> {
    /// The skill.
    pub(super) skill: &'a Skill,
    /// Its root.
    pub(super) root: &'a Root,
    /// The path of its file.
    pub(super) path: &'a BStr,
    /// Its body on lines that end with a line feed, without outer blank lines; empty where the block holds no bodies.
    pub(super) body: Cow<'a, str>,
}

/// A rendered block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The text.
    pub text: String,
    /// The skills in the order of the block, each with the bytes that are about it alone.
    pub fragments: Vec<(SkillId, Range<usize>)>,
    /// What agents learned that is in the block, in its order: the numbers of the entries.
    pub learned: Vec<usize>,
}

impl Block {
    /// How large it is.
    pub fn size(&self) -> Size {
        size(&self.text)
    }
}

impl Shape {
    /// The block of some skills; empty when there are none.
    pub(super) fn assemble(&self, catalog: &Catalog, contents: &Contents, skills: &[SkillId]) -> Block {
        let mut skills = skills.to_vec();
        if self.sections.is_some() {
            skills.sort_by_key(|&id| catalog.skill(id).root);
        }
        let mut block = Block::default();
        let mut root = None;
        for id in skills {
            let stand = match root.replace(catalog.skill(id).root) {
                None => Stand::First,
                Some(before) if before == catalog.skill(id).root => Stand::Beside,
                Some(_) => Stand::FirstOfRoot,
            };
            block.text.push_str(&self.introduction(catalog, id, stand));
            let start = block.text.len();
            block.text.push_str(&(self.fragment)(&self.entry(catalog, contents, id)));
            block.fragments.push((id, start..block.text.len()));
        }
        if !block.fragments.is_empty() {
            block.text.push_str(self.tail);
        }
        block
    }

    /// What a block grows by when a skill enters it; the sum over its skills is the size of the block.
    pub(super) fn growth(&self, catalog: &Catalog, contents: &Contents, id: SkillId, stand: Stand) -> Size {
        let tail = if stand == Stand::First { self.tail } else { "" };
        let parts = [
            self.introduction(catalog, id, stand),
            (self.fragment)(&self.entry(catalog, contents, id)),
            tail.to_owned(),
        ];
        parts
            .iter()
            .map(|part| size(part))
            .fold(Size::default(), |sum, part| Size { bytes: sum.bytes + part.bytes, chars: sum.chars + part.chars })
    }

    /// A skill as this rendering sees it.
    pub(super) fn entry<'a>(&self, catalog: &'a Catalog, contents: &'a Contents, id: SkillId) -> Entry<'a> {
        let skill = catalog.skill(id);
        let content = contents.get(&skill.file).filter(|_| self.inlines);
        let body = content.map_or(Cow::Borrowed(""), |content| body::text(skill, content));
        Entry { skill, root: catalog.root(skill.root), path: catalog.path(id), body }
    }

    /// What comes before a skill because of where it stands.
    fn introduction(&self, catalog: &Catalog, id: SkillId, stand: Stand) -> String {
        let mut text = String::new();
        if stand == Stand::First {
            text.push_str(self.head);
        }
        if matches!(stand, Stand::FirstOfRoot | Stand::Beside) {
            text.push_str(self.separator);
        }
        if let (Some(sections), Stand::First | Stand::FirstOfRoot) = (&self.sections, stand) {
            if stand == Stand::FirstOfRoot {
                text.push_str(sections.between);
            }
            text.push_str(&(sections.opening)(catalog.root(catalog.skill(id).root)));
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
    use crate::samples::{BOTH, catalog};

    const SKILLS: &[(&str, &[(&str, &str)])] = &[
        (".agent/skills/b/SKILL.md", &[("name", "b"), ("description", "Bé <b>.")]),
        (".agent/skills/d/SKILL.md", &[("name", "d"), ("description", "D.")]),
        (".symphony/skills/a/SKILL.md", &[("name", "a"), ("description", "A 😀.")]),
        (".symphony/skills/c/SKILL.md", &[("name", "c"), ("when_to_use", "C.")]),
    ];

    #[test]
    fn without_skills_there_is_nothing() {
        for shape in [&symphony::SHAPE, &agentskills::SHAPE] {
            assert_eq!(shape.assemble(&catalog(BOTH, &[]), &Contents::new(), &[]), Block::default());
        }
    }

    #[test]
    fn a_skill_has_the_same_fragment_whatever_stands_beside_it() {
        let catalog = catalog(BOTH, SKILLS);
        for shape in [&symphony::SHAPE, &agentskills::SHAPE] {
            let alone: Vec<String> =
                (0..4).map(SkillId).map(|id| (shape.fragment)(&shape.entry(&catalog, &Contents::new(), id))).collect();
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
    fn a_block_is_as_large_as_the_sum_of_what_its_skills_add() {
        let catalog = catalog(BOTH, SKILLS);
        let stands = [Stand::First, Stand::Beside, Stand::FirstOfRoot, Stand::Beside];
        for shape in [&symphony::SHAPE, &agentskills::SHAPE] {
            let skills: Vec<SkillId> = (0..4).map(SkillId).collect();
            let grown =
                skills.iter().zip(stands).map(|(&id, stand)| shape.growth(&catalog, &Contents::new(), id, stand));
            let sum = grown.fold(Size::default(), |sum, part| Size {
                bytes: sum.bytes + part.bytes,
                chars: sum.chars + part.chars,
            });
            assert_eq!(sum, shape.assemble(&catalog, &Contents::new(), &skills).size());
        }
    }

    proptest! {
        /// Whatever the fields hold, an entry keeps its lines and, in XML, its elements.
        #[test]
        fn no_value_leaves_its_place(name in ".*", description in any::<String>(), trigger in any::<String>()) {
            let fields = [("name", &*name), ("description", &*description), ("when_to_use", &*trigger)];
            let catalog = catalog(BOTH, &[(".agent/skills/a/SKILL.md", &fields)]);
            let fragment = |shape: &Shape| (shape.fragment)(&shape.entry(&catalog, &Contents::new(), SkillId(0)));
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
