//! A comment that was meant as text.

use crate::front_matter::{FaultKind, What};
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "value-cut-by-comment",
    group: Group::Fences,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[FaultKind::CutByComment],
    summary: "a value without quotes is cut at ` #`",
    why: "YAML begins a comment at ` #`, so every runtime reads the value without its rest, and says nothing",
    explanation: include_str!("value_cut_by_comment.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::CutByComment { left, value } = &fault.what else { continue };
        let left = text::shortened(left, 60);
        let finding = sink.report(fault.place, format!("` #` begins a comment, so the value is only `{left}`"));
        finding.help("put the whole value in quotes, or the comment on a line of its own");
        if let Some(quoted) = quote::plain(skill, *value) {
            // Not safe: a comment may be what was meant.
            finding.unsafe_edit(*value, quoted);
        }
    }
}
