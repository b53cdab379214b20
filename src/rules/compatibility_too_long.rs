//! A `compatibility` longer than the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "compatibility-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a `compatibility` is longer than the limit",
    why: "the open standard allows 500 characters, and its reference validator refuses the skill; what is longer is advice that belongs in the body",
    explanation: include_str!("compatibility_too_long.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(compatibility) = skill.text("compatibility") else { return };
    let limit = facts.limits.compatibility_chars;
    if let Some((finding, over)) = report_too_long(sink, "compatibility", &compatibility, limit) {
        finding.help(format!("shorten it by {over} or more: name what the skill needs, and put the rest in the body"));
    }
}
