//! What has room in a block.

use std::collections::BTreeSet;

use super::{Dropped, Reason, Request, Stand};
use crate::catalog::Catalog;
use crate::limits::over;
use crate::skill::SkillId;
use crate::text;

/// What a block may hold; `None` limits nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Skills.
    pub skills: Option<u64>,
    /// Bytes of the block.
    pub bytes: Option<u64>,
    /// Code points of the block.
    pub chars: Option<u64>,
    /// Estimated tokens of the block.
    pub tokens: Option<u64>,
}

/// How large a piece of a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Bytes of UTF-8.
    pub bytes: usize,
    /// Code points.
    pub chars: usize,
}

/// Takes skills in their order while there is room, whole ones only: one that does not fit is left out, and the next
/// that fits is taken.
pub(super) fn fit(skills: &[SkillId], catalog: &Catalog, request: &Request<'_>) -> (Vec<SkillId>, Vec<Dropped>) {
    let measured = [request.limits, request.budget, request.each].iter().any(Caps::measures);
    let mut begun = BTreeSet::new();
    let mut total = Size::default();
    let (mut taken, mut dropped) = (Vec::new(), Vec::new());
    for &skill in skills {
        let root = catalog.skill(skill).root;
        let stand = match begun.contains(&root) {
            true => Stand::Beside,
            false if taken.is_empty() => Stand::First,
            false => Stand::FirstOfRoot,
        };
        let grown = |stand| if measured { (request.growth)(skill, stand) } else { Size::default() };
        let (growth, alone) = (grown(stand), grown(Stand::Alone));
        let size = Size { bytes: total.bytes + growth.bytes, chars: total.chars + growth.chars };
        match (request.unfit)(skill).or_else(|| refusal(taken.len() + 1, size, alone, request)) {
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

/// Why a block may not grow to so many skills and that size, by a skill of its own size.
fn refusal(skills: usize, size: Size, alone: Size, request: &Request<'_>) -> Option<(Reason, String)> {
    let (limits, budget) = (&request.limits, &request.budget);
    if let Some(allowed) = limits.skills.filter(|&allowed| over(Some(allowed), skills)) {
        return Some((Reason::Cap, allows(allowed, "skill")));
    }
    if let Some(allowed) = budget.skills.filter(|&allowed| over(Some(allowed), skills)) {
        return Some((Reason::Budget, allows(allowed, "skill")));
    }
    if let Some(excess) = request.each.exceeded(alone) {
        return Some((Reason::Budget, format!("by itself it has {excess}")));
    }
    let excess = limits.exceeded(size).or_else(|| budget.exceeded(size))?;
    Some((Reason::Budget, format!("with it the block would have {excess}")))
}

fn allows(allowed: u64, unit: &str) -> String {
    let plural = if allowed == 1 { "" } else { "s" };
    format!("{allowed} {unit}{plural} {} allowed", is_or_are(allowed))
}

fn is_or_are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

impl Caps {
    /// Whether the size of a block matters.
    pub fn measures(&self) -> bool {
        self.bytes.is_some() || self.chars.is_some() || self.tokens.is_some()
    }

    /// The first cap that a block of that size is over, in words: "5200 bytes; 4000 are allowed".
    pub fn exceeded(&self, size: Size) -> Option<String> {
        let measures = [
            ("bytes", self.bytes, size.bytes),
            ("characters", self.chars, size.chars),
            ("estimated tokens", self.tokens, text::tokens(size.chars)),
        ];
        measures.into_iter().find_map(|(unit, cap, count)| {
            let allowed = cap.filter(|&allowed| over(Some(allowed), count))?;
            Some(format!("{count} {unit}; {allowed} {} allowed", is_or_are(allowed)))
        })
    }
}
