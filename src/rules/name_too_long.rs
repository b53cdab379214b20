//! A name longer than the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use crate::skill::Skill;

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
    if let Some((finding, _)) = report_too_long(sink, "name", &name, facts.limits.name_chars) {
        finding.help("shorten the name, and rename the directory to match");
    }
}
