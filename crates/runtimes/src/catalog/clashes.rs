//! Clashes between skills, found without comparing all pairs.

use std::collections::BTreeMap;

use super::Catalog;
use crate::scope::Scope;
use skilltree_skills::characters;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

impl Catalog {
    /// Returns the later skills of each group, each with the first skill that it clashes with. Only skills of directories
    /// that share names are compared, and of each directory only the first: 20,000 comparisons for 10,000 skills.
    pub fn clashes(
        &self,
        scope: &Scope<'_>,
        groups: &[Vec<SkillId>],
        clash: impl Fn(SkillId, SkillId) -> bool,
    ) -> Vec<(SkillId, SkillId)> {
        let mut clashes = Vec::new();
        for group in groups {
            let mut earlier = Earlier::default();
            for (order, &later) in group.iter().enumerate() {
                let root = self.skill(later).root;
                let first = earlier.candidates(scope, root).into_iter().map(|(_, id)| id).find(|&id| clash(id, later));
                clashes.extend(first.map(|first| (first, later)));
                earlier.add(scope, root, (order, later));
            }
        }
        clashes
    }

    /// Returns whether two skills have identical bytes. A file without an id was not hashed and equals no other.
    pub fn are_copies(&self, one: SkillId, other: SkillId) -> bool {
        let id = |skill| self.file(self.skill(skill).file).id;
        id(one).is_some() && id(one) == id(other)
    }

    /// Returns the later skills whose names look like an earlier one's, each with the earlier skill. Equal names are
    /// excluded.
    pub fn look_alikes(&self, scope: &Scope<'_>) -> Vec<(SkillId, SkillId)> {
        let mut by_look: BTreeMap<String, Vec<SkillId>> = BTreeMap::new();
        for &id in &self.listed {
            if let Some(name) = self.skill(id).name() {
                by_look.entry(characters::skeleton(&joined_alike(name))).or_default().push(id);
            }
        }
        let groups: Vec<_> = by_look.into_values().filter(|skills| skills.len() > 1).collect();
        let name = |id| super::identity(self.skill(id).name().unwrap_or_default());
        self.clashes(scope, &groups, |earlier, later| name(earlier) != name(later))
    }
}

/// Skills of a group that were compared already, each with its number in the group.
#[derive(Default)]
struct Earlier {
    /// The first skill of each directory.
    first: BTreeMap<RootId, (usize, SkillId)>,
    /// The first skill of the prompt block of the repository.
    in_block: Option<(usize, SkillId)>,
}

impl Earlier {
    /// Returns the first skills of the directories that share names with one, in the order of the group.
    fn candidates(&self, scope: &Scope<'_>, root: RootId) -> Vec<(usize, SkillId)> {
        let neighbors = scope.neighbors(root);
        let of = |root: &RootId| self.first.get(root).copied();
        let mut candidates: Vec<(usize, SkillId)> = if neighbors.len() < self.first.len() {
            neighbors.iter().filter_map(of).collect()
        } else {
            self.first.iter().filter(|(root, _)| neighbors.contains(root)).map(|(_, &skill)| skill).collect()
        };
        candidates.extend(of(&root));
        candidates.extend(self.in_block.filter(|_| scope.is_in_block(root)));
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }

    fn add(&mut self, scope: &Scope<'_>, root: RootId, skill: (usize, SkillId)) {
        self.first.entry(root).or_insert(skill);
        if scope.is_in_block(root) {
            self.in_block.get_or_insert(skill);
        }
    }
}

/// Returns a name in lowercase with hyphens as word separators.
pub fn joined_alike(name: &str) -> String {
    super::identity(name).replace(['_', ' '], "-")
}
