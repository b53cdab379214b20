//! Skills that the selection chooses from.

use std::collections::{BTreeMap, BTreeSet};

use super::{Request, Shadowed};
use crate::accept::Accepted;
use skilltree_runtimes::catalog;
use skilltree_skills::roots::{Packages, RootId};
use skilltree_skills::skill::SkillId;

/// Removes skills that lose to an earlier one with the same name: the first by the order of the roots, then by path, is
/// kept. Packages are separate scopes: `packages/a` and `packages/b` may each have a skill with the same name.
pub(super) fn unshadowed(accepted: &Accepted<'_>, request: &Request<'_>) -> (Vec<SkillId>, Vec<Shadowed>) {
    let catalog = accepted.catalog;
    let mut winners: BTreeMap<String, Packages<'_, SkillId>> = BTreeMap::new();
    let (mut skills, mut shadowed) = (Vec::new(), Vec::new());
    for id in of_roots(accepted, request.roots) {
        let skill = catalog.skill(id);
        let name = skill.known_as(request.by_directory);
        let is_deeper = request.depth.is_some_and(|depth| skill.depth > depth);
        if is_deeper || (request.skips)(id) || request.reserved.iter().any(|reserved| *reserved == name) {
            continue;
        }
        let (root, winners) = (catalog.root(skill.root), winners.entry(catalog::identity(&name)).or_default());
        match winners.near(root) {
            Some(&by) => shadowed.push(Shadowed { skill: id, by }),
            None => {
                winners.add(root, id);
                skills.push(id);
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
