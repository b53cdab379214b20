//! Reports bodies over the recommended number of lines or tokens.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::limits;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "body-too-long",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a body is longer than the recommended limit",
    why: "an agent reads the whole body before its first step, and keeps it in its context",
    explanation: include_str!("body_too_long.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| reason.is_too_long(&[Measured::Body], None)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let (lines, tokens) = (body.lines as usize, text::tokens(body.chars as usize));
    let over = |limit: Option<u64>, count: usize| limit.filter(|&limit| limits::over(Some(limit), count));
    let shown = |count: usize| text::grouped(count as u64);
    let message = match (over(facts.limits.body_lines, lines), over(facts.limits.body_tokens, tokens)) {
        (None, None) => return,
        (Some(most), None) => {
            format!("the body has {} lines; the recommended limit is {}", shown(lines), text::grouped(most))
        }
        (None, Some(most)) => {
            format!("the body has about {} tokens; the recommended limit is {}", shown(tokens), text::grouped(most))
        }
        (Some(most_lines), Some(most_tokens)) => format!(
            "the body has {} lines and about {} tokens; the recommended limits are {} and {}",
            shown(lines),
            shown(tokens),
            text::grouped(most_lines),
            text::grouped(most_tokens)
        ),
    };
    sink.report(body.excess.unwrap_or(skill.opener()), message)
        .extent(body.chars as usize)
        .help("move details into files under `references/`, and link to them");
}
