//! A body that fills the context of whoever opens it.

use crate::limits;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "body-too-long",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[],
    summary: "a body is longer than the limit",
    why: "an agent reads the whole body before its first step; the open standard advises less than 500 lines and 5,000 tokens",
    explanation: include_str!("body_too_long.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let (lines, tokens) = (body.lines as usize, text::tokens(body.chars as usize));
    let over = |limit: Option<u64>, count: usize| limit.filter(|&limit| limits::over(Some(limit), count));
    let lines = over(facts.limits.body_lines, lines).map(|limit| format!("{lines} lines where {limit} are advised"));
    let tokens =
        over(facts.limits.body_tokens, tokens).map(|limit| format!("about {tokens} tokens where {limit} are advised"));
    let said: Vec<String> = lines.into_iter().chain(tokens).collect();
    if !said.is_empty() {
        sink.report(skill.opener(), format!("the body has {}", said.join(", and ")))
            .extent(body.chars as usize)
            .help("move what is not needed every time into files under `references/`, and link to them");
    }
}
