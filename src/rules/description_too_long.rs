//! A description longer than the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "description-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a description is longer than the limit",
    why: "the open standard allows 1,024 characters; Roo Code, Copilot CLI and Codex up to 0.13x drop a skill whose description is longer, newer Codex cuts it",
    explanation: include_str!("description_too_long.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(description) = skill.text("description") else { return };
    let limit = facts.limits.description_chars;
    if let Some((finding, over)) = report_too_long(sink, "description", &description, limit) {
        finding.help(format!("shorten it by {over} or more; details belong in the body"));
    }
}
