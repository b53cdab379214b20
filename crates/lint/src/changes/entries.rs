//! What the entry of a skill in a list costs.

use std::cell::OnceCell;

use crate::cost;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{entry_chars, forecast};
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::skill::SkillId;

/// The entries of skills in the lists of runtimes. Nothing is computed before an entry is asked for.
pub(super) struct Entries<'a> {
    catalog: &'a Catalog,
    /// The most used first, each with the sizes of its entries in code points.
    runtimes: Vec<(&'a Profile, OnceCell<Vec<Option<u64>>>)>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(catalog: &'a Catalog, runtimes: &[&'a Profile]) -> Self {
        let mut runtimes: Vec<_> = runtimes.iter().map(|profile| (*profile, OnceCell::new())).collect();
        runtimes.sort_by_key(|(profile, _)| (profile.kind != Kind::Runtime, profile.usage_rank.unwrap_or(u32::MAX)));
        Self { catalog, runtimes }
    }

    /// Returns the size of the entry in the list of a runtime; `None` if it does not list the skill.
    fn chars(&self, runtime: usize, skill: SkillId) -> Option<u64> {
        let (profile, entries) = &self.runtimes[runtime];
        if !self.catalog.reads(profile, self.catalog.skill(skill).root) {
            return None;
        }
        let all = entries.get_or_init(|| entry_chars(self.catalog, profile, &forecast(self.catalog, profile)));
        all[skill.index()]
    }
}

/// Returns the tokens of the entries of a skill on two sides, with the same runtimes, in the list of the most used one that lists it on
/// either side; 0 where that does not list it.
pub(super) fn tokens(sides: [(&Entries<'_>, Option<SkillId>); 2]) -> [usize; 2] {
    let runtimes = sides[0].0.runtimes.len();
    let chars = |runtime: usize| sides.map(|(entries, skill)| entries.chars(runtime, skill?));
    let listed = (0..runtimes).map(chars).find(|chars| chars.iter().any(Option::is_some));
    listed.unwrap_or_default().map(|chars| chars.map_or(0, cost::tokens))
}
