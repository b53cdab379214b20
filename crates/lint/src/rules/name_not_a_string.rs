//! Reports names that YAML does not parse as a string.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "name-not-a-string",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a name is a number, a boolean, a date or another value that is not a string",
    why: "a loader that expects a string drops the skill, or changes the name: `yes` becomes `True`",
    explanation: include_str!("name_not_a_string.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| reason.is_wrong_type("name")),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("name") else { return };
    let Some(what) = quote::not_a_string(&field.value) else { return };
    let place = field.value.place;
    let finding = sink.report(place, format!("the name is {what}, not a string"));
    let written = skill.scalar("name");
    match (written, quote::plain(skill, place), facts.directory_name(skill)) {
        (Some(written), Some(quoted), _) if facts.is_valid_name(skill, written) => {
            finding.help(format!("quote it: `name: {quoted}`")).edit(place, quoted)
        }
        (Some(_), _, Some(directory)) => {
            let name = quote::name(directory);
            finding
                .help(format!("name it after its directory: `name: {}`", text::shortened(&name, 64)))
                .unsafe_edit(place, name)
        }
        (Some(_), ..) => finding.help("write quoted words of `a` to `z` and `0` to `9`, joined by hyphens"),
        (None, ..) => finding.help("write the name as one string"),
    };
}
