//! Reports `$1` that is meant for the first argument.

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, listed};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "shifted-arguments",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "`$1` is the second argument, and the first one is not used",
    why: "the model gets each argument in the place of another one, and the last place stays text",
    explanation: include_str!("shifted_arguments.md"),
    check: Check::Text(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let numbered = skill.body.as_ref().and_then(|body| body.numbered);
    let Some(numbered) = numbered.filter(|_| skill.field("argument-hint").is_some()) else { return };
    let replacing = acting::runtimes(skill, facts, |profile| profile.loads.counts_from_zero);
    if !replacing.is_empty() {
        let names = listed(&acting::names(&replacing));
        sink.report(
            numbered.first,
            format!("`$1` is the second argument in {names}, and nothing uses `$0`, the first"),
        )
        .help(format!("write `$0` to `${}`", numbered.most - 1));
    }
}
