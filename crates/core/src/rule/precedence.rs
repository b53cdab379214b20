//! Precedence between skills with the same name in two roots.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::Facts;
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::identity::{IdentityBy, Winner};
use crate::skill::{Skill, SkillId};

/// Returns the skill that each runtime in scope takes if it reads both roots. Empty if a runtime takes both or the order
/// is unknown: then the two skills conflict.
pub(crate) fn winners<'a>(
    facts: &Facts<'a>,
    catalog: &Catalog,
    one: SkillId,
    other: SkillId,
) -> Vec<(&'a Profile, SkillId)> {
    let (first, second) = (catalog.skill(one), catalog.skill(other));
    let mut winners = Vec::new();
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
                _ => return Vec::new(),
            },
            Some(_) => return Vec::new(),
        };
        winners.push((profile, if is_first { one } else { other }));
    }
    winners
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
