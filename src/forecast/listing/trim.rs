//! What to take away from a list that is too long, so that all the rest of it is shown whole.

use std::cmp::Reverse;

use super::Entry;
use crate::skill::SkillId;

/// What to take away so that all the rest is listed whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trim {
    /// Skills that have to leave the root: those over a cap of skills, or all at the end of the list that do not fit where
    /// the names leave no room for descriptions.
    pub remove: usize,
    /// Skills to take out at the end of the list instead of cutting anything, those to remove among them.
    pub instead: usize,
    /// Code points to cut from the descriptions, all of them together; 0 where no cut helps.
    pub cut: u64,
    /// The length in code points that no description may exceed then; `None` where none has to be cut, or no cut helps.
    pub to: Option<u64>,
    /// The descriptions that are longer, the longest first, each with its length in code points.
    pub descriptions: Vec<(SkillId, u64)>,
}

/// What to take away so that the entries are listed whole, besides the skills that are over a cap.
pub(super) fn of(
    entries: &[Entry<'_>],
    over: usize,
    limit: Option<u64>,
    size: &dyn Fn(&Entry<'_>, u64) -> u64,
) -> Option<Trim> {
    let mut room = limit.unwrap_or(u64::MAX);
    let fits = |entry: &&Entry<'_>| {
        let rest = room.checked_sub(entry.whole);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let beyond = entries.len() - entries.iter().take_while(fits).count();
    let Some(limit) = limit.filter(|_| beyond > 0) else {
        return (over > 0).then(|| Trim { remove: over, instead: over, ..Trim::default() });
    };
    let instead = over + beyond;
    let Some(to) = level(entries, limit, size).filter(|level| *level > 0) else {
        return Some(Trim { remove: instead, instead, ..Trim::default() });
    };
    let longer = entries.iter().filter(|entry| entry.chars > to);
    let mut descriptions: Vec<(SkillId, u64)> = longer.map(|entry| (entry.skill, entry.chars)).collect();
    // Those of one length stay in the order of the list.
    descriptions.sort_by_key(|&(_, chars)| Reverse(chars));
    let cut = descriptions.iter().map(|&(_, chars)| chars - to).sum();
    Some(Trim { remove: over, instead, cut, to: Some(to), descriptions })
}

/// The greatest number of code points that every description can have in a list that fits; `None` where even none are too
/// many.
pub(super) fn level(entries: &[Entry<'_>], limit: u64, size: &dyn Fn(&Entry<'_>, u64) -> u64) -> Option<u64> {
    let fits = |chars: u64| entries.iter().map(|entry| size(entry, chars)).sum::<u64>() <= limit;
    if !fits(0) {
        return None;
    }
    let (mut least, mut most) = (0, entries.iter().map(|entry| entry.chars).max().unwrap_or(0));
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        if fits(middle) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    Some(least)
}
