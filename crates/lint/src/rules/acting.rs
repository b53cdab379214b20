//! What runtimes in scope do with the body of a skill by themselves.

use crate::rule::Facts;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys::tool_entries;
use skilltree_skills::skill::Skill;

/// Returns the runtimes in scope of a skill that do something, the most used first.
pub(super) fn runtimes<'a>(skill: &Skill, facts: &Facts<'a>, does: impl Fn(&Profile) -> bool) -> Vec<&'a Profile> {
    let mut profiles: Vec<&Profile> = facts.scope.of(skill.root).filter(|profile| does(profile)).collect();
    profiles.sort_by_key(|profile| profile.usage_rank);
    profiles
}

/// Returns the names of some runtimes.
pub(super) fn names<'a>(profiles: &[&'a Profile]) -> Vec<&'a str> {
    profiles.iter().map(|profile| profile.actor()).collect()
}

/// Returns the entries of a field that lists tools: those of a list, or of a text that separates them with spaces or commas.
pub(super) fn entries<'s>(skill: &'s Skill, field: &str) -> Vec<&'s str> {
    let Some(field) = skill.field(field) else { return Vec::new() };
    match &field.value.kind {
        skilltree_front_matter::NodeKind::List(items) => items.iter().filter_map(|item| item.scalar()).collect(),
        _ => field.value.scalar().map(tool_entries).unwrap_or_default(),
    }
}
