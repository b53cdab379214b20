//! A description that YAML does not read as a string.

use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "description-not-a-string",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a description is a number, a date, a list or another value that is not a string",
    why: "Roo Code, opencode, Copilot CLI, CAMEL and the skills CLI of Vercel drop a skill whose description is not a string; pi crashes on a number",
    explanation: include_str!("description_not_a_string.md"),
    check: Check::Skill(check),
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
}
