//! A name that YAML does not read as a string.

use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "name-not-a-string",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a name is a number, a boolean, a date or another value that is not a string",
    why: "Roo Code, opencode, Copilot CLI and CAMEL drop a skill whose name is not a string, and Hermes calls a skill named `yes` `True`",
    explanation: include_str!("name_not_a_string.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("name") else { return };
    let Some(what) = quote::not_a_string(&field.value) else { return };
    let place = field.value.place;
    let finding = sink.report(place, format!("the name is {what}, not a string"));
    match (field.value.scalar(), quote::plain(skill, place)) {
        (Some(_), Some(quoted)) => finding.help(format!("put it in quotes: `name: {quoted}`")).edit(place, quoted),
        _ => finding.help("write the name as one string"),
    };
}
