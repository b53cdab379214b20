//! Decides whether skills with the same name clash, for the rules about duplicate names.

use bstr::ByteSlice;

use crate::rule::{Facts, Mirrors, choices, listed};
use skilltree_front_matter::text::Place;
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::identity::Winner;
use skilltree_skills::roots::{Owner, RootId};
use skilltree_skills::skill::{Skill, SkillId};
use skilltree_skills::snapshot::State;

/// Returns whether two skills are the same by link, or by name, which another rule reports.
pub(super) fn is_one_skill(catalog: &Catalog, one: SkillId, other: SkillId) -> bool {
    let identity = |id| catalog.skill(id).name().map(catalog::identity);
    let file = |id| catalog.file(catalog.skill(id).file).shown_path();
    identity(one) == identity(other) || file(one) == file(other)
}

/// Compares skills with the same name.
pub(super) struct Namesakes<'a> {
    catalog: &'a Catalog,
    facts: &'a Facts<'a>,
    mirrors: Mirrors,
}

/// Relation between two skills with the same name.
pub(super) enum Way<'a> {
    /// The same skill, or skills that may share a name.
    Apart,
    /// Different texts of a skill in directories of different runtimes: a skill that is written for each, or a copy that drifted.
    Drifted,
    /// Each runtime that reads both roots has a defined winner.
    Ordered(Vec<(&'a Profile, SkillId)>),
    /// Skills that clash, and the runtimes that read both roots but have no order for them, with what they take if that is
    /// known.
    Clash(Vec<(&'a Profile, Option<Winner>)>),
    /// Equal texts that a target does not merge: it lists both, or neither.
    Copies(Vec<(&'a Profile, Option<Winner>)>),
}

impl<'a> Namesakes<'a> {
    pub(super) fn new(catalog: &'a Catalog, facts: &'a Facts<'a>) -> Self {
        Self { catalog, facts, mirrors: facts.copies.mirrors(facts.roots) }
    }

    /// Returns the relation between two skills with the same name.
    pub(super) fn way(&self, earlier: SkillId, later: SkillId) -> Way<'a> {
        let catalog = self.catalog;
        let (one, other) = (catalog.skill(earlier).root, catalog.skill(later).root);
        if one == other {
            // A link to a skill of the same root is that skill.
            let path = |skill: SkillId| catalog.file(catalog.skill(skill).file).shown_path();
            return if path(earlier) == path(later) { Way::Apart } else { Way::Clash(Vec::new()) };
        }
        // In a prompt, roots outside the repository come after its own roots. A runtime has its own order for those of the user.
        let is_known = |root: RootId| matches!(catalog.root(root).owner, Owner::Repository | Owner::User);
        if !is_known(one) || !is_known(other) {
            return Way::Apart;
        }
        // Another rule reports a copy in a mirror that has drifted.
        let is_apart = !self.facts.scope.share_names(one, other) || self.mirrors.name_both(one, other);
        let are_copies = catalog.are_copies(earlier, later);
        if is_apart || are_copies && !self.facts.scope.is_explicit() {
            return Way::Apart;
        }
        let mut choices = choices(self.facts, catalog, earlier, later);
        if are_copies {
            choices.conflicts.retain(|(_, way)| matches!(way, Some(Winner::All | Winner::None)));
            return if choices.conflicts.is_empty() { Way::Apart } else { Way::Copies(choices.conflicts) };
        }
        // The repository cannot declare that a directory of the user is a copy.
        if [one, other].iter().any(|&root| catalog.root(root).owner == Owner::User) {
            return match (choices.winners.is_empty(), choices.conflicts.is_empty()) {
                (false, _) => Way::Ordered(choices.winners),
                (true, false) => Way::Clash(choices.conflicts),
                (true, true) => Way::Apart,
            };
        }
        let is_ordered = choices.conflicts.is_empty() && !choices.winners.is_empty();
        match is_ordered {
            true => Way::Ordered(choices.winners),
            false if self.facts.scope.differ_in_runtimes(one, other) => Way::Drifted,
            false => Way::Clash(choices.conflicts),
        }
    }
}

/// Groups skills with the same name, as [`Catalog::namesakes`] does. In each group, a skill named after its directory comes
/// before a copy of it with another directory, and a tracked skill before a new one.
pub(super) fn groups(catalog: &Catalog) -> Vec<Vec<SkillId>> {
    let mut groups = catalog.namesakes();
    for group in &mut groups {
        group.sort_by_key(|&id| {
            let skill = catalog.skill(id);
            let is_named_otherwise = skill.name().is_none_or(|name| name.as_bytes() != skill.directory.as_bytes());
            (is_named_otherwise, catalog.file(skill.file).state != State::Tracked)
        });
    }
    groups
}

/// Says what runtimes load: `Codex and Warp load both skills`.
pub(super) fn loaded(titles: &[&str], what: &str) -> String {
    format!("{} {} {what}", listed(titles), if titles.len() == 1 { "loads" } else { "load" })
}

/// Returns the place of the name, or the whole file if there is no name.
pub(super) fn place(skill: &Skill) -> Place {
    skill.field("name").map_or(Place::whole(skill.file), |field| field.value.place)
}
