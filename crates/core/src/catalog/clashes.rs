//! Clashes between skills, found without comparing all pairs.

use std::collections::BTreeMap;

use super::Catalog;
use crate::characters;
use crate::roots::RootId;
use crate::skill::SkillId;

impl Catalog {
    /// Returns the later skills of each group, each with the first skill that it clashes with. Groups are in the order
    /// of the roots. The first skill of a group wins, so a skill is compared only with it and with the first of its own
    /// root: 20,000 comparisons for 10,000 skills.
    pub(crate) fn clashes(
        &self,
        groups: &[Vec<SkillId>],
        clash: impl Fn(SkillId, SkillId) -> bool,
    ) -> Vec<(SkillId, SkillId)> {
        let mut clashes = Vec::new();
        for group in groups {
            for siblings in group.chunk_by(|&a, &b| self.skill(a).root == self.skill(b).root) {
                for &later in siblings {
                    let earlier = [group[0], siblings[0]].into_iter().filter(|&earlier| earlier != later);
                    let first = earlier.into_iter().find(|&earlier| clash(earlier, later));
                    clashes.extend(first.map(|first| (first, later)));
                }
            }
        }
        clashes
    }

    /// Returns whether two skills have identical bytes. A file without an id was not hashed and equals no other.
    pub(crate) fn are_copies(&self, one: SkillId, other: SkillId) -> bool {
        let id = |skill| self.file(self.skill(skill).file).id;
        id(one).is_some() && id(one) == id(other)
    }

    /// Returns whether two roots share one namespace. Roots that match the same wildcard pattern do not.
    pub(crate) fn share_names(&self, one: RootId, other: RootId) -> bool {
        let (first, second) = (self.root(one), self.root(other));
        one == other || !(first.matched && second.matched && first.pattern == second.pattern)
    }

    /// Returns the later skills whose names look like an earlier one's, each with the earlier skill. Equal names are
    /// excluded.
    pub(crate) fn look_alikes(&self) -> Vec<(SkillId, SkillId)> {
        let mut by_look: BTreeMap<String, Vec<SkillId>> = BTreeMap::new();
        for &id in &self.listed {
            if let Some(name) = self.skill(id).name() {
                by_look.entry(characters::skeleton(&joined_alike(name))).or_default().push(id);
            }
        }
        let groups: Vec<_> = by_look.into_values().filter(|skills| skills.len() > 1).collect();
        self.clashes(&groups, |earlier, later| {
            let name = |id| super::identity(self.skill(id).name().unwrap_or_default());
            self.share_names(self.skill(earlier).root, self.skill(later).root) && name(earlier) != name(later)
        })
    }
}

/// Returns a name in lowercase with hyphens as word separators.
pub(crate) fn joined_alike(name: &str) -> String {
    super::identity(name).replace(['_', ' '], "-")
}
