//! Reports descriptions that YAML does not read as a string.

use super::prose;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "description-not-a-string",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a description is not a string",
    why: "a loader that expects a string drops the skill or fails on the value",
    explanation: include_str!("description_not_a_string.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| reason.is_wrong_type("description")),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("description") else { return };
    let Some(what) = quote::not_a_string(&field.value) else { return };
    let place = field.value.place;
    let finding = sink.report(place, format!("the description is {what}, not a string"));
    match (field.value.scalar(), quote::plain(skill, place)) {
        (Some(_), Some(quoted)) => finding.help("put the value in quotes").edit(place, quoted),
        _ => finding.help("write the description as one string"),
    };
    // Text with a colon on the lines below the key.
    let text = prose::of_value(&field.value).and_then(|text| prose::quoted(&text));
    let place = prose::from_colon(skill, field, place.range().end);
    if let Some((place, (help, text))) = place.zip(text) {
        finding.help(help).unsafe_edit(place, text);
    }
}
