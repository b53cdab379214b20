//! A `metadata.short-description` longer than the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use skilltree_front_matter::text::{self, Spanned};
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "short-description-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a short description is longer than the limit",
    why: "an overlong short description is truncated in lists or fails validation",
    explanation: include_str!("short_description_too_long.md"),
    check: Check::Skill(check),
    explains: Some(|reason, limits| reason.is_too_long(&[Measured::ShortDescription], limits.short_description_chars)),
    limits: &["short-description-chars"],
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("metadata").and_then(|metadata| metadata.value.field("short-description")) else {
        return;
    };
    let Some(value) = field.value.text() else { return };
    let value = Spanned { value: value.trim_ascii(), place: field.value.place };
    let limit = facts.limits.short_description_chars;
    if let Some((finding, over)) = report_too_long(sink, "short description", &value, limit) {
        finding.help(format!("shorten it by {} or more characters", text::grouped(over)));
    }
}
