//! A key that was probably meant to be another one.

use crate::characters;
use crate::front_matter::{Node, NodeKind};
use crate::keys;
use crate::limits;
use crate::rule::{Check, E2026, Edit, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "misspelled-key",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a key looks like a misspelling of a known one",
    why: "no runtime reads a key that it does not know, and most say nothing: what was written there is lost",
    explanation: include_str!("misspelled_key.md"),
    check: Check::Skill(check),
};

/// Keys that only change what people read: to write them rightly changes nothing that a skill may do.
const HARMLESS: [&str; 5] = ["argument-hint", "compatibility", "description", "license", "metadata"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let slips: Vec<_> = skill.fields().filter_map(|field| Some((field, keys::meant(&field.key.value)?))).collect();
    for &(field, meant) in &slips {
        // Whoever writes both writes for two runtimes.
        if skill.field(meant).is_some() {
            continue;
        }
        let key = text::shortened(&field.key.value, 64);
        let finding = sink.report(field.key.place, format!("`{key}` looks like a misspelling of `{meant}`"));
        for (character, alike) in characters::foreign(&field.key.value) {
            finding.note(characters::described(character, alike));
        }
        finding.help(format!("rename it to `{meant}`"));
        if slips.iter().filter(|(_, other)| *other == meant).count() == 1 {
            finding.edits.push(Edit {
                place: field.key.place,
                text: meant.to_owned(),
                safe: is_harmless(skill, meant, &field.value, facts),
            });
        }
    }
}

/// Whether what is written there is of the right kind, so that under the right key nothing is wrong with it.
fn is_harmless(skill: &Skill, meant: &str, value: &Node, facts: &Facts<'_>) -> bool {
    let text = value.text().map(str::trim_ascii).filter(|text| !text.is_empty());
    let limits = facts.limits;
    let fits = |limit| text.is_some_and(|text| !limits::over(limit, text::length(text).chars));
    match meant {
        "name" => text.is_some_and(|name| facts.is_right_name(skill, name)) && fits(limits.name_chars),
        "description" => fits(limits.description_chars),
        "compatibility" => fits(limits.compatibility_chars),
        "metadata" => matches!(value.kind, NodeKind::Map(_)),
        _ => HARMLESS.contains(&meant) && text.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn no_key_that_a_runtime_knows_is_taken_for_a_misspelling() {
        let profiles = Profiles::default();
        for profile in profiles.ids().filter_map(|id| profiles.find(id)) {
            for key in &profile.loads.keys.known {
                assert_eq!(keys::meant(key), None, "{} knows `{key}`", profile.id);
            }
        }
    }
}
