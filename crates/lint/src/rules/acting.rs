//! What runtimes in scope do with the body of a skill by themselves.

use crate::rule::Facts;
use skilltree_runtimes::profile::Profile;
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
        _ => field.value.scalar().map(split).unwrap_or_default(),
    }
}

/// Splits a text at spaces and commas outside parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let separates = move |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    };
    text.split(separates).filter(|entry| !entry.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_entries_outside_parentheses() {
        assert_eq!(split("Read, Bash(git add:*, x) Edit,"), ["Read", "Bash(git add:*, x)", "Edit"]);
        assert_eq!(split(") a"), [")", "a"]);
    }
}
