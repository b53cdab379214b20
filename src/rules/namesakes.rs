//! What the rules about skills of one name share: whether they stand in each other's way.

use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::roots::Owner;
use crate::rule::{Facts, Mirrors, Precedence};
use crate::skill::{Skill, SkillId};
use crate::text::Place;

/// Skills of one name, beside what decides between them.
pub(super) struct Namesakes<'a> {
    catalog: &'a Catalog,
    mirrors: Mirrors,
    precedence: Precedence<'a>,
}

/// What two skills of one name are to each other.
pub(super) enum Way<'a> {
    /// They are one, or belong apart.
    Apart,
    /// Every runtime that looks into both roots takes one of them.
    Ordered(Vec<(&'a Profile, SkillId)>),
    /// They stand in each other's way.
    Clash,
}

impl<'a> Namesakes<'a> {
    pub(super) fn new(catalog: &'a Catalog, facts: &Facts<'a>) -> Self {
        Self { catalog, mirrors: facts.copies.mirrors(facts.roots), precedence: Precedence::new(facts) }
    }

    /// What two skills of one name are to each other.
    pub(super) fn way(&self, earlier: SkillId, later: SkillId) -> Way<'a> {
        let catalog = self.catalog;
        let (one, other) = (catalog.skill(earlier).root, catalog.skill(later).root);
        if one == other {
            // A link to a skill of the same root is that skill.
            let path = |skill: SkillId| catalog.file(catalog.skill(skill).file).shown_path();
            return if path(earlier) == path(later) { Way::Apart } else { Way::Clash };
        }
        // What is read beside a repository comes behind what is in it: there one skill stands before the other.
        if [one, other].iter().any(|&root| catalog.root(root).owner != Owner::Repository) {
            return Way::Apart;
        }
        // A copy of a mirror that is not the same any more is another finding.
        let is_apart = !catalog.share_names(one, other) || self.mirrors.name_both(one, other);
        if is_apart || catalog.are_copies(earlier, later) {
            return Way::Apart;
        }
        let winners = self.precedence.winners(catalog, earlier, later);
        if winners.is_empty() { Way::Clash } else { Way::Ordered(winners) }
    }
}

/// The name's value.
pub(super) fn place(skill: &Skill) -> Place {
    skill.field("name").map_or(Place::whole(skill.file), |field| field.value.place)
}
