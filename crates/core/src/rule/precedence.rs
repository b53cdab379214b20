//! Precedence between skills with the same name in two roots.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::Facts;
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::identity::{IdentityBy, Winner};
use crate::scope;
use crate::skill::{Skill, SkillId};

/// Order in which runtimes read the roots: those of the targets and of the configured roots.
#[derive(Debug)]
pub struct Precedence<'a> {
    targets: &'a [String],
    /// Position of each root in the order of a runtime, by profile id.
    places: BTreeMap<&'a str, (&'a Profile, Vec<Option<usize>>)>,
}

impl<'a> Precedence<'a> {
    /// Looks up every root in every selected runtime.
    pub fn new(facts: &Facts<'a>) -> Self {
        let ids = facts.targets.iter().chain(facts.roots.iter().map(|root| &root.profile));
        let mut places = BTreeMap::new();
        for profile in ids.filter_map(|id| facts.profiles.find(id)) {
            let of_roots = || {
                let place = |root: &crate::roots::Root| scope::precedence(profile, root.path.as_bstr());
                (profile, facts.roots.iter().map(place).collect())
            };
            places.entry(profile.id.as_str()).or_insert_with(of_roots);
        }
        Self { targets: facts.targets, places }
    }

    /// Returns the skill that each runtime takes if it reads both roots. Empty if a runtime takes both or the order is
    /// unknown: then the two skills conflict.
    pub(crate) fn winners(&self, catalog: &Catalog, one: SkillId, other: SkillId) -> Vec<(&'a Profile, SkillId)> {
        let (first, second) = (catalog.skill(one), catalog.skill(other));
        let of_roots = [first.root, second.root].map(|root| &catalog.root(root).profile);
        let mut ids: Vec<&String> = self.targets.iter().chain(of_roots).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut winners = Vec::new();
        for (profile, places) in ids.into_iter().filter_map(|id| self.places.get(id.as_str())) {
            let (Some(here), Some(there)) = (places[first.root.index()], places[second.root.index()]) else { continue };
            if !are_same(profile, first, second) {
                continue;
            }
            // The order of two directories with the same name depends on where the runtime starts.
            let is_first = match profile.loads.duplicates.across_roots {
                None => continue,
                Some(Winner::First) if here != there => here < there,
                Some(Winner::Last) if here != there => here > there,
                Some(_) => return Vec::new(),
            };
            winners.push((*profile, if is_first { one } else { other }));
        }
        winners
    }
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
