//! The list that a runtime shows the model, and what of it fits: which skills are listed whole, which are shortened, and
//! which fall off.

use std::borrow::Cow;

use super::{Fate, SkillForecast};
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::listing::{Budget, Squeeze, Unit};
use crate::skill::SkillId;

mod template;

use template::Template;

/// What is listed of a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootForecast {
    /// Whether the runtime reads the root.
    pub reads: bool,
    /// How much fits, in `unit`; `None` when nothing is limited or nobody knows.
    pub budget: Option<u64>,
    /// The unit of `budget`.
    pub unit: Option<Unit>,
    /// How much all entries together take, in `unit`.
    pub wanted: u64,
    /// The skills that are listed whole, in the order of the list.
    pub listed: Vec<SkillId>,
    /// The skills whose descriptions are shortened or left out.
    pub shortened: Vec<SkillId>,
    /// The skills that are not listed at all.
    pub lost: Vec<SkillId>,
}

/// An entry of the list.
struct Entry<'a> {
    skill: SkillId,
    name: Cow<'a, str>,
    /// The length of the whole entry.
    whole: u64,
    /// The length of the entry without its description.
    short: u64,
}

/// What is listed of each root. Each is judged as if it were the only one: what other roots take away depends on the
/// directory that the runtime is started in.
pub(super) fn of_roots(
    catalog: &Catalog,
    profile: &Profile,
    skills: &[SkillForecast],
    reads: &[bool],
) -> Vec<RootForecast> {
    let is_listed = |told: &SkillForecast| told.listed && matches!(told.fate, Fate::Loads | Fate::Altered);
    let mut by_root: Vec<Vec<SkillId>> = reads.iter().map(|_| Vec::new()).collect();
    for (id, skill) in catalog.skills().filter(|(id, _)| is_listed(&skills[id.index()])) {
        by_root[skill.root.index()].push(id);
    }
    let roots = by_root.into_iter().zip(reads);
    match &profile.loads.budget {
        None => roots.map(|(listed, &reads)| RootForecast { reads, listed, ..RootForecast::default() }).collect(),
        Some(budget) => {
            let template = Template::of(profile, budget.unit.unwrap_or(Unit::Chars));
            let told = |(ids, &reads): (Vec<SkillId>, &bool)| {
                let mut entries: Vec<Entry<'_>> =
                    ids.into_iter().map(|id| template.entry(catalog, id, &skills[id.index()])).collect();
                // The path decides between equal names, and skills stand in its order already.
                entries.sort_by(|a, b| a.name.cmp(&b.name));
                fit(&entries, budget, reads)
            };
            roots.map(told).collect()
        }
    }
}

/// What of the entries fits.
fn fit(entries: &[Entry<'_>], budget: &Budget, reads: bool) -> RootForecast {
    let mut told = RootForecast {
        reads,
        budget: budget.limit(),
        unit: budget.unit,
        wanted: entries.iter().map(|entry| entry.whole).sum(),
        ..RootForecast::default()
    };
    let most = budget.skills.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let (kept, over) = entries.split_at(entries.len().min(most));
    told.lost.extend(over.iter().map(|entry| entry.skill));
    let Some(limit) = told.budget else {
        told.listed.extend(kept.iter().map(|entry| entry.skill));
        return told;
    };
    let mut sizes: Vec<u64> = kept.iter().map(|entry| entry.whole).collect();
    for squeeze in &budget.beyond {
        if sizes.iter().sum::<u64>() <= limit {
            break;
        }
        match squeeze {
            Squeeze::ShortenDescriptions => shorten(kept, &mut sizes, limit),
            Squeeze::DropDescriptions => drop_from_end(kept, &mut sizes, limit),
            Squeeze::NamesOnly => sizes = kept.iter().map(|entry| entry.short).collect(),
            Squeeze::Omit => {}
        }
    }
    let mut room = limit;
    let mut is_full = false;
    for (entry, size) in kept.iter().zip(sizes) {
        is_full |= budget.beyond.contains(&Squeeze::Omit) && size > room;
        room = room.saturating_sub(size);
        let list = match () {
            () if is_full => &mut told.lost,
            () if size < entry.whole => &mut told.shortened,
            () => &mut told.listed,
        };
        list.push(entry.skill);
    }
    told
}

/// Shortens all descriptions to one length, the longest that fits; where none fits they stay, and the next step decides.
fn shorten(entries: &[Entry<'_>], sizes: &mut [u64], limit: u64) {
    let fixed: u64 = entries.iter().map(|entry| entry.short).sum();
    let mut lengths: Vec<u64> = entries.iter().map(|entry| entry.whole.saturating_sub(entry.short)).collect();
    let Some(mut room) = limit.checked_sub(fixed) else { return };
    lengths.sort_unstable();
    let mut level = 0;
    for (number, length) in lengths.iter().enumerate() {
        let share = room / (lengths.len() - number) as u64;
        level = share.max(level);
        if *length > share {
            level = share;
            break;
        }
        room -= length;
    }
    for (entry, size) in entries.iter().zip(sizes) {
        *size = entry.short + entry.whole.saturating_sub(entry.short).min(level);
    }
}

/// Leaves out descriptions from the end of the list until it fits.
fn drop_from_end(entries: &[Entry<'_>], sizes: &mut [u64], limit: u64) {
    let mut total: u64 = sizes.iter().sum();
    for (entry, size) in entries.iter().zip(sizes).rev() {
        if total <= limit {
            break;
        }
        total -= size.saturating_sub(entry.short);
        *size = entry.short;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(sizes: &[(u64, u64)]) -> Vec<Entry<'static>> {
        let entry = |(number, &(whole, short)): (u32, &(u64, u64))| Entry {
            skill: SkillId(number),
            name: Cow::Owned(number.to_string()),
            whole,
            short,
        };
        (0u32..).zip(sizes).map(entry).collect()
    }

    fn told(sizes: &[(u64, u64)], limit: u64, beyond: &[Squeeze]) -> [usize; 3] {
        let budget =
            Budget { unit: Some(Unit::Chars), amount: Some(limit), beyond: beyond.to_vec(), ..Budget::default() };
        let told = fit(&entries(sizes), &budget, true);
        [told.listed.len(), told.shortened.len(), told.lost.len()]
    }

    #[test]
    fn what_does_not_fit_is_squeezed_step_by_step() {
        let sizes = [(10, 4), (100, 4), (100, 4)];
        assert_eq!(told(&sizes, 210, &[Squeeze::Omit]), [3, 0, 0]);
        assert_eq!(told(&sizes, 209, &[Squeeze::Omit]), [2, 0, 1]);
        assert_eq!(told(&sizes, 100, &[Squeeze::ShortenDescriptions]), [1, 2, 0]);
        assert_eq!(told(&sizes, 100, &[Squeeze::DropDescriptions]), [1, 2, 0]);
        assert_eq!(told(&sizes, 114, &[Squeeze::DropDescriptions]), [2, 1, 0]);
        assert_eq!(told(&sizes, 9, &[Squeeze::ShortenDescriptions, Squeeze::NamesOnly, Squeeze::Omit]), [0, 2, 1]);
        assert_eq!(told(&sizes, 12, &[Squeeze::NamesOnly, Squeeze::Omit]), [0, 3, 0]);
    }

    #[test]
    fn a_cap_of_skills_counts_skills() {
        let budget = Budget { skills: Some(2), ..Budget::default() };
        let told = fit(&entries(&[(1, 1), (1, 1), (1, 1)]), &budget, true);
        assert_eq!((told.listed.len(), told.lost), (2, vec![SkillId(2)]));
    }
}
