//! Reports `compatibility` values over the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use skilltree_front_matter::text;
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "compatibility-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "`compatibility` is longer than the limit",
    why: "the Agent Skills specification allows 500 characters, and its validator rejects a longer value",
    explanation: include_str!("compatibility_too_long.md"),
    check: Check::Skill(check),
    explains: Some(|reason, limits| reason.is_too_long(&[Measured::Compatibility], limits.compatibility_chars)),
    limits: &["compatibility-chars"],
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(compatibility) = skill.text("compatibility") else { return };
    let limit = facts.limits.compatibility_chars;
    if let Some((finding, over)) = report_too_long(sink, "compatibility", &compatibility, limit) {
        finding.help(format!("shorten it by {} or more characters; move details to the body", text::grouped(over)));
    }
}
