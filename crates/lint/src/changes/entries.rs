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

    /// Returns the tokens of the entry in the list of the most used runtime that lists the skill; 0 without one.
    pub(super) fn tokens(&self, skill: SkillId) -> usize {
        let root = self.catalog.skill(skill).root;
        let mut readers = self.runtimes.iter().filter(|(profile, _)| self.catalog.reads(profile, root));
        let listed = readers.find_map(|(profile, entries)| {
            let all = entries.get_or_init(|| entry_chars(self.catalog, profile, &forecast(self.catalog, profile)));
            all[skill.index()]
        });
        listed.map_or(0, cost::tokens)
    }
}
