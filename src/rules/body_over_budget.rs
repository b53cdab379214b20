//! A body that a selected runtime has no room for.

use crate::profile::listing::{Limit, Measured, Unit};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::{BodyFacts, Skill};
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "body-over-budget",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a body cannot be injected whole by a selected runtime",
    why: "the runtime has a budget for bodies and leaves out what is over it, mostly without a word",
    explanation: include_str!("body_over_budget.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    for profile in facts.selected(skill, |id| facts.profiles.limits_bodies(id)) {
        for limit in profile.loads.limits.iter().filter(|limit| limit.of == Measured::Body) {
            if let Some(size) = size(body, limit).filter(|&(count, _)| count as u64 > limit.most) {
                let (count, unit) = size;
                let (title, most) = (&profile.title, limit.most);
                sink.report(skill.opener(), format!("the body has {count} {unit}; {title} has room for {most}"))
                    .extent(count)
                    .help("move what is not needed every time into files under `references/`, and link to them");
            }
        }
    }
}

/// How long a body is in the unit of a limit. UTF-16 units are at least as many as the code points that are known of it.
fn size(body: &BodyFacts, limit: &Limit) -> Option<(usize, &'static str)> {
    let chars = body.chars as usize;
    Some(match limit.unit {
        Unit::Chars | Unit::Utf16 => (chars, "characters"),
        Unit::Tokens => (text::tokens(chars), "tokens by estimate"),
        Unit::Lines => (body.lines as usize, "lines"),
        Unit::Bytes => (body.file_bytes.saturating_sub(body.start) as usize, "bytes"),
        Unit::Count => return None,
    })
}
