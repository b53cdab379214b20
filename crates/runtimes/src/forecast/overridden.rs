//! What a setting of a repository does to a skill.

use std::ops::Range;

use bstr::{BString, ByteSlice};

use super::reason::Reason;
use skilltree_front_matter::text;
use skilltree_skills::manifest::{self, Manifest};
use skilltree_skills::skill::SkillId;

/// A setting about one skill.
#[derive(Clone, Debug)]
pub struct Override<'a> {
    /// The skill.
    pub skill: SkillId,
    /// The settings file.
    pub manifest: &'a Manifest,
    /// The bytes of the value.
    pub range: Range<usize>,
    /// What it does.
    pub effect: Effect,
}

/// What a setting does to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The model is not shown the skill.
    Hidden,
    /// The model is shown its name only.
    NameOnly,
    /// The model is shown the skill, and cannot start it.
    Refused,
}

impl Override<'_> {
    /// Returns the reason that a forecast gives.
    pub(super) fn reason(&self) -> Reason {
        let file: BString = manifest::join(self.manifest.base.as_bstr(), &self.manifest.name);
        Reason::Overridden {
            file: text::lossless(file.as_bstr()),
            line: self.manifest.line(self.range.start),
            shows_name: self.effect == Effect::NameOnly,
        }
    }
}
