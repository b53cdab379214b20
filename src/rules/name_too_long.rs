//! A name longer than the limit.

use crate::limits;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "name-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a name is longer than the limit",
    why: "the open standard allows 64 characters; Roo Code and Copilot CLI drop a skill whose name is longer",
    explanation: include_str!("name_too_long.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name") else { return };
    let chars = text::length(name.value).chars;
    if let Some(limit) = facts.limits.name_chars.filter(|&limit| limits::over(Some(limit), chars)) {
        sink.report(name.place, format!("the name has {chars} characters; {limit} are allowed"))
            .help("shorten the name, and rename the directory to match");
    }
}
