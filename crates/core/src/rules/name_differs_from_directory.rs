//! Reports names that differ from the skill directory.

use crate::forecast::Reason;
use crate::limits;
use crate::name;
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "name-differs-from-directory",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    faults: &[],
    summary: "a name differs from its skill directory",
    why: "some runtimes identify a skill by name and others by directory; strict ones drop it if the two differ",
    explanation: include_str!("name_differs_from_directory.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::DiffersFromDirectory)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name").filter(|name| name::is_well_formed(name.value)) else { return };
    if facts.is_valid_name(skill, name.value) {
        return;
    }
    let directory = text::lossless(skill.directory.as_ref());
    let shown = text::shortened(name.value, 64);
    let finding = sink.report(name.place, format!("the name is `{shown}`, but the directory is `{directory}`"));
    match facts.directory_name(skill).filter(|directory| !limits::over(facts.limits.name_chars, directory.len())) {
        Some(directory) => finding
            .help(format!("write `name: {directory}`, or rename the directory to `{shown}`"))
            .unsafe_edit(name.place, quote::name(directory)),
        None => finding.help(format!("rename the directory to `{shown}`")),
    };
}
