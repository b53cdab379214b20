//! Helpers for the rules about SwarmAssistant: they select the skills and parse lists.

use std::collections::BTreeSet;

use crate::rule::Facts;
use skilltree_front_matter::text::{Place, Spanned};
use skilltree_front_matter::{Field, NodeKind};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Skill, SkillId};

/// The profile of SwarmAssistant (RFC-009).
const PROFILE: &str = "swarm";

/// Returns the listed skills that SwarmAssistant should load. If it is a target, these are all skills. Otherwise they are
/// the skills of its roots and, without targets, of roots in which a skill has `roles`. `tags` alone do not count: 167 of 6,325 public
/// skills have tags, and none of them has roles.
pub(super) fn skills<'a>(catalog: &'a Catalog, facts: &Facts<'_>) -> Vec<(SkillId, &'a Skill)> {
    let is_target = facts.targets.iter().any(|target| target == PROFILE);
    let listed = || catalog.listed.iter().map(|&id| (id, catalog.skill(id)));
    let with_roles: BTreeSet<RootId> =
        listed().filter(|(_, skill)| skill.field("roles").is_some()).map(|(_, skill)| skill.root).collect();
    let with_roles = if facts.scope.is_explicit() { BTreeSet::new() } else { with_roles };
    let is_selected =
        |skill: &Skill| is_target || facts.root(skill).profile == PROFILE || with_roles.contains(&skill.root);
    listed().filter(|(_, skill)| skill.has_fields() && is_selected(skill)).collect()
}

/// Returns the words of `tags` or `roles`: list items, or the parts of a comma-separated string, which share its place.
pub(super) fn words(field: &Field) -> Vec<Spanned<&str>> {
    match &field.value.kind {
        NodeKind::List(items) => items.iter().filter_map(|item| word(item.scalar()?, item.place)).collect(),
        _ => {
            let text = field.value.scalar().unwrap_or_default();
            text.split(',').filter_map(|part| word(part, field.value.place)).collect()
        }
    }
}

fn word(text: &str, place: Place) -> Option<Spanned<&str>> {
    let value = text.trim();
    (!value.is_empty()).then_some(Spanned { value, place })
}
