//! What the rules about SwarmAssistant share: which skills they speak of, and how lists are read.

use std::collections::BTreeSet;

use crate::catalog::Catalog;
use crate::front_matter::{Field, NodeKind};
use crate::roots::RootId;
use crate::rule::Facts;
use crate::skill::{Skill, SkillId};
use crate::text::{Place, Spanned};

/// The profile of SwarmAssistant (RFC-009).
const PROFILE: &str = "swarm";

/// The listed skills that SwarmAssistant is meant to load: all of them where it is a target, else those of its roots and of
/// roots in which some skill has `roles`. `tags` alone are no sign of it: 167 of 6,325 public skills have tags and none of
/// them roles, so they are tags for somebody else.
pub(super) fn skills<'a>(catalog: &'a Catalog, facts: &Facts<'_>) -> Vec<(SkillId, &'a Skill)> {
    let is_target = facts.targets.iter().any(|target| target == PROFILE);
    let listed = || catalog.listed.iter().map(|&id| (id, catalog.skill(id)));
    let with_roles: BTreeSet<RootId> =
        listed().filter(|(_, skill)| skill.field("roles").is_some()).map(|(_, skill)| skill.root).collect();
    let is_meant =
        |skill: &Skill| is_target || facts.root(skill).profile == PROFILE || with_roles.contains(&skill.root);
    listed().filter(|(_, skill)| skill.has_fields() && is_meant(skill)).collect()
}

/// The words of `tags` or `roles`: a list, or one text with commas, which share its place.
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
