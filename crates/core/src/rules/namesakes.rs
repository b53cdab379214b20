//! Decides whether skills with the same name clash, for the rules about duplicate names.

use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::roots::Owner;
use crate::rule::{Facts, Mirrors, Precedence};
use crate::skill::{Skill, SkillId};
use crate::text::Place;

/// Compares skills with the same name.
pub(super) struct Namesakes<'a> {
    catalog: &'a Catalog,
    mirrors: Mirrors,
    precedence: Precedence<'a>,
}

/// Relation between two skills with the same name.
pub(super) enum Way<'a> {
    /// The same skill, or skills that may share a name.
    Apart,
    /// Each runtime that reads both roots has a defined winner.
    Ordered(Vec<(&'a Profile, SkillId)>),
    /// Skills that clash.
    Clash,
}

impl<'a> Namesakes<'a> {
    pub(super) fn new(catalog: &'a Catalog, facts: &Facts<'a>) -> Self {
        Self { catalog, mirrors: facts.copies.mirrors(facts.roots), precedence: Precedence::new(facts) }
    }

    /// Returns the relation between two skills with the same name.
    pub(super) fn way(&self, earlier: SkillId, later: SkillId) -> Way<'a> {
        let catalog = self.catalog;
        let (one, other) = (catalog.skill(earlier).root, catalog.skill(later).root);
        if one == other {
            // A link to a skill of the same root is that skill.
            let path = |skill: SkillId| catalog.file(catalog.skill(skill).file).shown_path();
            return if path(earlier) == path(later) { Way::Apart } else { Way::Clash };
        }
        // Roots outside the repository come after its own roots, so the order decides.
        if [one, other].iter().any(|&root| catalog.root(root).owner != Owner::Repository) {
            return Way::Apart;
        }
        // Another rule reports a copy in a mirror that has drifted.
        let is_apart = !catalog.share_names(one, other) || self.mirrors.name_both(one, other);
        if is_apart || catalog.are_copies(earlier, later) {
            return Way::Apart;
        }
        let winners = self.precedence.winners(catalog, earlier, later);
        if winners.is_empty() { Way::Clash } else { Way::Ordered(winners) }
    }
}

/// Returns the place of the name, or the whole file if there is no name.
pub(super) fn place(skill: &Skill) -> Place {
    skill.field("name").map_or(Place::whole(skill.file), |field| field.value.place)
}
