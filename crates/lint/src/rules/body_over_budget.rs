//! Reports bodies over the limit of a selected runtime.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_runtimes::profile::listing::{Limit, Measured, Unit};
use skilltree_skills::skill::{BodyFacts, Skill};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "body-over-budget",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a body exceeds the limit of a selected runtime",
    why: "a body over the limit is truncated or missing from the prompt",
    explanation: include_str!("body_over_budget.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| reason.is_too_long(&[Measured::Body], None)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    for profile in facts.selected(skill) {
        for limit in profile.loads.limits.iter().filter(|limit| limit.of == Measured::Body) {
            if let Some(size) = size(body, limit).filter(|&(count, _)| count as u64 > limit.maximum) {
                let (count, unit) = size;
                let (shown, most) = (text::grouped(count as u64), text::grouped(limit.maximum));
                let title = &profile.title;
                sink.report(skill.opener(), format!("the body has {shown} {unit}; the limit of {title} is {most}"))
                    .extent(count)
                    .help("move details into files under `references/`, and link to them");
            }
        }
    }
}

/// Returns the size of a body in the unit of a limit. For UTF-16 units, the code points are a lower bound.
fn size(body: &BodyFacts, limit: &Limit) -> Option<(usize, &'static str)> {
    let chars = body.chars as usize;
    Some(match limit.unit {
        Unit::Chars | Unit::Utf16 => (chars, "characters"),
        Unit::Tokens => (text::tokens(chars), "estimated tokens"),
        Unit::Lines => (body.lines as usize, "lines"),
        Unit::Bytes => (body.file_bytes.saturating_sub(body.start) as usize, "bytes"),
        Unit::Count => return None,
    })
}
