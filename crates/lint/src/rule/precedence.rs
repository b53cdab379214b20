//! Precedence between skills with the same name in two roots.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::Facts;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::identity::{IdentityBy, Winner};
use skilltree_skills::skill::{Skill, SkillId};

/// What runtimes in scope that read two roots do with a skill of each.
pub(crate) struct Choices<'a> {
    /// Runtimes that take one of the two by their order, and that one.
    pub(crate) winners: Vec<(&'a Profile, SkillId)>,
    /// Runtimes that have no order for the two, and what they take if that is known: for them, the two skills conflict.
    pub(crate) conflicts: Vec<(&'a Profile, Option<Winner>)>,
}

/// Returns what each runtime in scope that reads both roots takes. Runtimes of which nothing is known are left out.
pub(crate) fn choices<'a>(facts: &Facts<'a>, catalog: &Catalog, one: SkillId, other: SkillId) -> Choices<'a> {
    let (first, second) = (catalog.skill(one), catalog.skill(other));
    let mut choices = Choices { winners: Vec::new(), conflicts: Vec::new() };
    for (profile, here, there) in facts.scope.merging(first.root, second.root) {
        if !are_same(profile, first, second) {
            continue;
        }
        // Of two directories with the same name, the longer path is nearer to where the runtime starts.
        let length = |skill: &Skill| catalog.root(skill.root).path.len();
        let is_nearer = length(first) > length(second);
        let is_first = match profile.loads.duplicates.across_roots {
            None => continue,
            Some(Winner::First) if here != there => here < there,
            Some(Winner::Last) if here != there => here > there,
            Some(_) if here == there => match profile.loads.duplicates.upwards {
                Some(Winner::First) => is_nearer,
                Some(Winner::Last) => !is_nearer,
                way => {
                    choices.conflicts.push((profile, way));
                    continue;
                }
            },
            Some(way) => {
                choices.conflicts.push((profile, Some(way)));
                continue;
            }
        };
        choices.winners.push((profile, if is_first { one } else { other }));
    }
    choices
}

/// Returns whether a runtime treats two skills as the same.
fn are_same(profile: &Profile, one: &Skill, other: &Skill) -> bool {
    let identity = &profile.loads.identity;
    identity.compared(known_as(identity.by, one)) == identity.compared(known_as(identity.by, other))
}

/// Returns the name by which a runtime identifies a skill.
fn known_as(by: Option<IdentityBy>, skill: &Skill) -> Cow<'_, str> {
    match (by, skill.name()) {
        (Some(IdentityBy::Directory), _) | (_, None) => skill.directory.to_str_lossy(),
        (_, Some(name)) => Cow::Borrowed(name),
    }
}
