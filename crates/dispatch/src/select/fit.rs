//! Fits the skills into the caps of a block.

use std::collections::BTreeSet;
use std::ops::Add;

use super::{Dropped, Names, Position, Reason, Request};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::limits::over;
use skilltree_skills::skill::SkillId;

/// Caps of a block; `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Number of skills.
    pub skills: Option<u64>,
    /// Size of the block in bytes.
    pub bytes: Option<u64>,
    /// Size of the block in code points.
    pub chars: Option<u64>,
    /// Size of the block in estimated tokens.
    pub tokens: Option<u64>,
}

/// Size of a part of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Bytes of UTF-8.
    pub bytes: usize,
    /// Code points.
    pub chars: usize,
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, chars: self.chars + other.chars }
    }
}

/// Takes whole skills in order while they fit. A skill that does not fit is dropped, and later ones that fit are taken.
pub(super) fn fit(skills: &[SkillId], catalog: &Catalog, request: &Request<'_>) -> (Vec<SkillId>, Vec<Dropped>) {
    let measured = [request.limits, request.budget, request.each].iter().any(Caps::measures);
    let names = Names::new(skills, catalog, request.by_directory);
    let mut begun = BTreeSet::new();
    let mut total = Size::default();
    let (mut taken, mut dropped) = (Vec::new(), Vec::new());
    for &skill in skills {
        let root = catalog.skill(skill).root;
        let position = match begun.contains(&root) {
            true => Position::Following,
            false if taken.is_empty() => Position::First,
            false => Position::FirstOfRoot,
        };
        let grown = |position| if measured { (request.growth)(skill, position) } else { Size::default() };
        let (growth, alone) = (grown(position), grown(Position::Separate));
        let size = total + growth;
        match (request.unfit)(skill, &names).or_else(|| refusal(taken.len() + 1, size, alone, request)) {
            Some((reason, detail)) => dropped.push(Dropped { skill, reason, detail }),
            None => {
                total = size;
                begun.insert(root);
                taken.push(skill);
            }
        }
    }
    (taken, dropped)
}

/// Returns why a block with this number of skills and this size is over a cap. `alone` is the size of the skill itself.
fn refusal(skills: usize, size: Size, alone: Size, request: &Request<'_>) -> Option<(Reason, String)> {
    let (limits, budget) = (&request.limits, &request.budget);
    if let Some(allowed) = limits.skills.filter(|&allowed| over(Some(allowed), skills)) {
        return Some((Reason::Cap, skill_limit(allowed)));
    }
    if let Some(allowed) = budget.skills.filter(|&allowed| over(Some(allowed), skills)) {
        return Some((Reason::Budget, skill_limit(allowed)));
    }
    if let Some(excess) = request.each.exceeded(alone) {
        return Some((Reason::Budget, format!("on its own it has {excess}")));
    }
    let excess = limits.exceeded(size).or_else(|| budget.exceeded(size))?;
    Some((Reason::Budget, format!("with it the block would have {excess}")))
}

fn skill_limit(allowed: u64) -> String {
    format!("the limit is {} skill{}", text::grouped(allowed), if allowed == 1 { "" } else { "s" })
}

impl Caps {
    /// Returns whether any cap limits the size of a block.
    pub fn measures(&self) -> bool {
        self.bytes.is_some() || self.chars.is_some() || self.tokens.is_some()
    }

    /// Returns the first cap that a size exceeds, as text: "5,200 bytes; the limit is 4,000".
    pub fn exceeded(&self, size: Size) -> Option<String> {
        let measures = [
            ("bytes", self.bytes, size.bytes),
            ("characters", self.chars, size.chars),
            ("estimated tokens", self.tokens, text::tokens(size.chars)),
        ];
        measures.into_iter().find_map(|(unit, cap, count)| {
            let allowed = cap.filter(|&allowed| over(Some(allowed), count))?;
            Some(format!("{} {unit}; the limit is {}", text::grouped(count), text::grouped(allowed)))
        })
    }
}
