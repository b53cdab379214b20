//! A `metadata.short-description` longer than the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use crate::skill::Skill;
use crate::text::Spanned;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "short-description-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a short description is longer than the limit",
    why: "Codex up to 0.13x drops a skill whose `metadata.short-description` is longer than 1,024 characters, and newer Codex cuts it",
    explanation: include_str!("short_description_too_long.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("metadata").and_then(|metadata| metadata.value.field("short-description")) else {
        return;
    };
    let Some(text) = field.value.text() else { return };
    let value = Spanned { value: text.trim_ascii(), place: field.value.place };
    let limit = facts.limits.short_description_chars;
    if let Some((finding, over)) = report_too_long(sink, "short description", &value, limit) {
        finding.help(format!("shorten it by {over} or more: it is the one line that a list shows"));
    }
}
