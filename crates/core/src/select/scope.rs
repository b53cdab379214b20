//! Skills that the selection chooses from.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::{Request, Shadowed, known_as};
use crate::accept::Accepted;
use crate::catalog::{self, Catalog};
use crate::roots::RootId;
use crate::skill::SkillId;

/// Removes skills that lose to an earlier one with the same name: the first by the order of the roots, then by path, is
/// kept. Roots that match the same wildcard pattern are separate scopes: `packages/a` and `packages/b` may each have a
/// skill with the same name.
pub(super) fn unshadowed(accepted: &Accepted<'_>, request: &Request<'_>) -> (Vec<SkillId>, Vec<Shadowed>) {
    let catalog = accepted.catalog;
    let mut winners: BTreeMap<String, (SkillId, SkillId)> = BTreeMap::new();
    let (mut skills, mut shadowed) = (Vec::new(), Vec::new());
    for id in of_roots(accepted, request.roots) {
        let skill = catalog.skill(id);
        let name = known_as(skill, request.by_directory);
        let is_deeper = request.depth.is_some_and(|depth| skill.depth > depth);
        if is_deeper || (request.skips)(id) || request.reserved.iter().any(|reserved| *reserved == name) {
            continue;
        }
        match winners.entry(catalog::identity(&name)) {
            Entry::Vacant(vacant) => {
                vacant.insert((id, id));
                skills.push(id);
            }
            Entry::Occupied(mut occupied) => {
                let (first, last) = *occupied.get();
                // All winners of one name are in sibling roots, and skills are sorted by root: the last winner is in
                // the current root or none is.
                if is_sibling(catalog, skill.root, catalog.skill(last).root) {
                    occupied.insert((first, id));
                    skills.push(id);
                } else {
                    let same_root = catalog.skill(last).root == skill.root;
                    shadowed.push(Shadowed { skill: id, by: if same_root { last } else { first } });
                }
            }
        }
    }
    (skills, shadowed)
}

/// Returns the accepted skills of some roots, by root, then by path. The skills are sorted, so a binary search finds
/// each root: a repository with 1,000 packages requests 1,000 blocks.
fn of_roots(accepted: &Accepted<'_>, roots: &[RootId]) -> impl Iterator<Item = SkillId> {
    let roots: BTreeSet<RootId> = roots.iter().copied().collect();
    let root_of = |id: &SkillId| accepted.catalog.skill(*id).root;
    roots.into_iter().flat_map(move |root| {
        let start = accepted.skills.partition_point(|id| root_of(id) < root);
        let end = accepted.skills.partition_point(|id| root_of(id) <= root);
        accepted.skills[start..end].iter().copied()
    })
}

/// Returns whether two roots are separate scopes that match the same pattern.
fn is_sibling(catalog: &Catalog, a: RootId, b: RootId) -> bool {
    let (one, other) = (catalog.root(a), catalog.root(b));
    a != b && one.matched && other.matched && one.pattern == other.pattern
}
