//! Edits that rename a misspelled key.

use crate::front_matter::{Field, Node, NodeKind};
use crate::keys;
use crate::limits;
use crate::rule::{Edit, Facts, Finding};
use crate::skill::Skill;
use crate::text;

/// Keys that only inform people, so correcting them does not change what a skill may do.
const HARMLESS: [&str; 5] = ["argument-hint", "compatibility", "description", "license", "metadata"];

/// Offers to rename a key. The edit is safe if it cannot change what the skill may do.
pub(super) fn offer(finding: &mut Finding, skill: &Skill, field: &Field, meant: &str, facts: &Facts<'_>) {
    let safe = is_harmless(skill, meant, &field.value, facts);
    finding.edits.push(Edit { place: field.key.place, text: meant.to_owned(), safe });
}

/// Points to the misspelled key instead of a missing one, and offers to rename it if it is the only one. Returns whether there
/// is one.
pub(super) fn instead_of(meant: &str, finding: &mut Finding, skill: &Skill, facts: &Facts<'_>) -> bool {
    let mut slips = skill.fields().filter(|field| keys::correction(&field.key.value) == Some(meant));
    let Some(field) = slips.next() else { return false };
    let key = &field.key.value;
    finding.related(field.key.place, "unknown key").help(format!("rename `{key}` to `{meant}`"));
    if slips.next().is_none() {
        offer(finding, skill, field, meant, facts);
    }
    true
}

/// Returns whether the value is valid under the correct key, so that the edit is safe.
fn is_harmless(skill: &Skill, meant: &str, value: &Node, facts: &Facts<'_>) -> bool {
    let text = value.text().map(str::trim_ascii).filter(|text| !text.is_empty());
    let limits = facts.limits;
    let fits = |limit| text.is_some_and(|text| !limits::over(limit, text::length(text).chars));
    match meant {
        "name" => text.is_some_and(|name| facts.is_valid_name(skill, name)) && fits(limits.name_chars),
        "description" => fits(limits.description_chars),
        "compatibility" => fits(limits.compatibility_chars),
        "metadata" => matches!(value.kind, NodeKind::Map(_)),
        _ => HARMLESS.contains(&meant) && text.is_some(),
    }
}
