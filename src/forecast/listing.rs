//! The list that a runtime shows the model, and what of it fits: which skills are listed whole, which are shortened, and
//! which fall off.

use std::borrow::Cow;

use super::{Fate, SkillForecast};
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::listing::{Budget, OrderBy, Unit};
use crate::skill::SkillId;

mod fit;
mod template;
mod trim;

use template::Template;
pub use trim::Trim;

/// What is listed of a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootForecast {
    /// Whether the runtime reads the root.
    pub reads: bool,
    /// How much fits, in `unit`; `None` when nothing is limited or nobody knows.
    pub budget: Option<u64>,
    /// The unit of `budget`.
    pub unit: Option<Unit>,
    /// The context window, in tokens, of which the budget is a share; `None` when it is a number of its own.
    pub window: Option<u64>,
    /// How many skills are listed at most; `None` when they are not counted.
    pub most_skills: Option<u64>,
    /// How much all entries together take, in `unit`.
    pub wanted: u64,
    /// Whether the order of the list is known; else the skills stand by name, and others may fall off.
    pub is_ordered: bool,
    /// The skills that are listed whole, in the order of the list.
    pub listed: Vec<SkillId>,
    /// The skills whose descriptions are shortened or left out.
    pub shortened: Vec<SkillId>,
    /// The skills that are not listed at all.
    pub lost: Vec<SkillId>,
    /// What to take away so that all the rest is listed whole; `None` when all is.
    pub trim: Option<Trim>,
}

/// An entry of the list.
struct Entry<'a> {
    skill: SkillId,
    name: Cow<'a, str>,
    /// The description that is shown, in code points.
    chars: u64,
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
    let Some(budget) = &profile.loads.budget else {
        return roots.map(|(listed, &reads)| RootForecast { reads, listed, ..RootForecast::default() }).collect();
    };
    let template = Template::of(profile, budget.unit.unwrap_or(Unit::Chars));
    let order = profile.loads.listing.order.iter().find(|by| **by != OrderBy::Root);
    let told = |(ids, &reads): (Vec<SkillId>, &bool)| {
        let entry = |id: SkillId| template.entry(catalog, id, &skills[id.index()]);
        let mut entries: Vec<Entry<'_>> = ids.into_iter().map(entry).collect();
        // Skills stand in the order of their paths already, which also decides between equal names.
        if order != Some(&OrderBy::Path) {
            entries.sort_by(|a, b| a.name.cmp(&b.name));
        }
        let size = |entry: &Entry<'_>, chars: u64| {
            template.shortened(catalog, entry.skill, &skills[entry.skill.index()], chars)
        };
        let is_ordered = matches!(order, Some(OrderBy::Name | OrderBy::Path));
        RootForecast { reads, is_ordered, ..of_root(&entries, budget, &size) }
    };
    roots.map(told).collect()
}

/// What of the entries fits. `size` is how long an entry is with so many code points of its description.
fn of_root(entries: &[Entry<'_>], budget: &Budget, size: &dyn Fn(&Entry<'_>, u64) -> u64) -> RootForecast {
    let limit = budget.limit();
    let most = budget.skills.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let (kept, over) = entries.split_at(entries.len().min(most));
    let mut told = RootForecast {
        budget: limit,
        unit: budget.unit,
        window: budget.window.filter(|_| budget.amount.is_none()),
        most_skills: budget.skills,
        wanted: entries.iter().map(|entry| entry.whole).sum(),
        trim: trim::of(kept, over.len(), limit, size),
        ..RootForecast::default()
    };
    match limit {
        Some(limit) => fit::fit(kept, limit, &budget.beyond, size, &mut told),
        None => told.listed.extend(kept.iter().map(|entry| entry.skill)),
    }
    told.lost.extend(over.iter().map(|entry| entry.skill));
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::listing::Squeeze;

    fn entries(sizes: &[(u64, u64)]) -> Vec<Entry<'static>> {
        let entry = |(number, &(whole, short)): (u32, &(u64, u64))| Entry {
            skill: SkillId(number),
            name: Cow::Owned(number.to_string()),
            chars: whole - short,
            whole,
            short,
        };
        (0u32..).zip(sizes).map(entry).collect()
    }

    fn of(sizes: &[(u64, u64)], budget: &Budget) -> RootForecast {
        of_root(&entries(sizes), budget, &|entry, chars| entry.short + chars.min(entry.chars))
    }

    fn told(sizes: &[(u64, u64)], limit: u64, beyond: &[Squeeze]) -> [usize; 3] {
        let budget =
            Budget { unit: Some(Unit::Chars), amount: Some(limit), beyond: beyond.to_vec(), ..Budget::default() };
        let told = of(sizes, &budget);
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
        let told = of(&[(1, 1), (1, 1), (1, 1)], &budget);
        assert_eq!((told.listed.len(), told.lost), (2, vec![SkillId(2)]));
        assert_eq!(told.trim, Some(Trim { remove: 1, instead: 1, ..Trim::default() }));
    }

    #[test]
    fn the_longest_descriptions_are_cut_until_all_fit() {
        let budget = |limit| Budget { unit: Some(Unit::Chars), amount: Some(limit), ..Budget::default() };
        let sizes = [(10, 4), (104, 4), (54, 4)];
        let trim = |limit| of(&sizes, &budget(limit)).trim;
        assert_eq!(trim(168), None);
        let one = Trim { remove: 0, instead: 1, cut: 1, to: Some(99), descriptions: vec![(SkillId(1), 100)] };
        assert_eq!(trim(167), Some(one));
        let descriptions = vec![(SkillId(1), 100), (SkillId(2), 50)];
        let both = Trim { remove: 0, instead: 2, cut: 60, to: Some(45), descriptions };
        assert_eq!(trim(109), Some(both));
        let none = Trim { remove: 3, instead: 3, ..Trim::default() };
        assert_eq!(trim(9), Some(none), "the names alone are too long");
    }
}
