//! Reports descriptions over the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use skilltree_front_matter::text;
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "description-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a description is longer than the limit",
    why: "the Agent Skills specification allows 1,024 characters; a longer description fails validation or is truncated",
    explanation: include_str!("description_too_long.md"),
    check: Check::Skill(check),
    explains: Some(|reason, limits| reason.is_too_long(&[Measured::Description], limits.description_chars)),
    limits: &["description-chars"],
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(description) = skill.text("description") else { return };
    let limit = facts.limits.description_chars;
    if let Some((finding, over)) = report_too_long(sink, "description", &description, limit) {
        finding.help(format!("shorten it by {} or more characters; move details to the body", text::grouped(over)));
    }
}
