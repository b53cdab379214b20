//! Trimming of a listing over its budget, so that everything else is listed in full.

use std::cmp::Reverse;

use super::ListEntry;
use skilltree_skills::skill::SkillId;

/// What to trim so that everything else is listed in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trim {
    /// Number of skills to remove from the root: those over a cap, or those at the end of the listing that do not fit
    /// if the names leave no space for descriptions.
    pub remove: usize,
    /// Number of skills to remove from the end of the listing instead of shortening, including `remove`.
    pub instead: usize,
    /// Code points to cut from all descriptions together; 0 if shortening does not help.
    pub cut: u64,
    /// Maximum length of a description in code points after the cut; `None` if none must be shortened or shortening
    /// does not help.
    pub to: Option<u64>,
    /// Descriptions over that length, longest first, each with its length in code points.
    pub descriptions: Vec<(SkillId, u64)>,
}

/// Computes what to trim so that the entries are listed in full, in addition to skills over a cap.
pub(super) fn of(
    entries: &[ListEntry<'_>],
    over: usize,
    limit: Option<u64>,
    size: &dyn Fn(&ListEntry<'_>, u64) -> u64,
) -> Option<Trim> {
    let mut room = limit.unwrap_or(u64::MAX);
    let fits = |entry: &&ListEntry<'_>| {
        let rest = room.checked_sub(entry.whole);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let fitting = entries.iter().take_while(fits).count();
    let beyond = entries[fitting..].iter().filter(|entry| entry.bundled_path.is_none()).count();
    let Some(limit) = limit.filter(|_| beyond > 0) else {
        return (over > 0).then(|| Trim { remove: over, instead: over, ..Trim::default() });
    };
    let instead = over + beyond;
    let Some(to) = level(entries, limit, size).filter(|level| *level > 0) else {
        return Some(Trim { remove: instead, instead, ..Trim::default() });
    };
    let longer = entries.iter().filter(|entry| entry.chars > to && entry.bundled_path.is_none());
    let mut descriptions: Vec<(SkillId, u64)> = longer.map(|entry| (entry.skill, entry.chars)).collect();
    // Stable: equal lengths keep the order of the listing.
    descriptions.sort_by_key(|&(_, chars)| Reverse(chars));
    let cut = descriptions.iter().map(|&(_, chars)| chars - to).sum();
    Some(Trim { remove: over, instead, cut, to: Some(to), descriptions })
}

/// Returns the greatest description length in code points at which the listing fits; `None` if it does not fit without
/// descriptions.
pub(super) fn level(entries: &[ListEntry<'_>], limit: u64, size: &dyn Fn(&ListEntry<'_>, u64) -> u64) -> Option<u64> {
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
