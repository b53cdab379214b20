//! Skills that stand in each other's way, found without comparing each with each.

use std::collections::BTreeMap;

use super::Catalog;
use crate::characters;
use crate::roots::RootId;
use crate::skill::SkillId;

impl Catalog {
    /// The later skills of each group, each with the first that it clashes with. The groups are in the order of the
    /// roots. The first of all is the one that stays, so nothing else outside a skill's own root need be compared with
    /// it: ten thousand namesakes take twenty thousand looks.
    pub fn clashes(
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

    /// Whether two skills have the same bytes. What has no id was not hashed and is like nothing else.
    pub fn are_copies(&self, one: SkillId, other: SkillId) -> bool {
        let id = |skill| self.file(self.skill(skill).file).id;
        id(one).is_some() && id(one) == id(other)
    }

    /// Whether two roots are one scope of names: not those that one pattern with a wildcard found.
    pub fn share_names(&self, one: RootId, other: RootId) -> bool {
        let (first, second) = (self.root(one), self.root(other));
        one == other || !(first.matched && second.matched && first.pattern == second.pattern)
    }

    /// The later skills whose names can be taken for an earlier one's, each with that one. Equal names are none of these.
    pub fn look_alikes(&self) -> Vec<(SkillId, SkillId)> {
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

/// A name without letter case and with hyphens for whatever joins its words.
pub fn joined_alike(name: &str) -> String {
    super::identity(name).replace(['_', ' '], "-")
}
