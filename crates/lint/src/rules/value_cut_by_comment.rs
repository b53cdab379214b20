//! Values truncated by a comment.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "value-cut-by-comment",
    group: Group::Fences,
    since: E2026,
    level: Level::Warning,
    faults: &[FaultKind::CutByComment],
    summary: "an unquoted value is truncated at ` #`",
    why: "YAML starts a comment at ` #`, so the rest of the value is silently lost",
    explanation: include_str!("value_cut_by_comment.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::CutByComment { left, value } = &fault.what else { continue };
        let left = text::shortened(left, 60);
        let finding = sink.report(fault.place, format!("` #` starts a comment, so the value is only `{left}`"));
        finding.help("quote the whole value, or put the comment on its own line");
        if let Some(quoted) = quote::plain(skill, *value) {
            // Unsafe: the comment can be intentional.
            finding.unsafe_edit(*value, quoted);
        }
    }
}
