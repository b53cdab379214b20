//! Reports commands in examples that a runtime in scope runs.

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Rule, Sink, listed};
use skilltree_skills::skill::{CommandForm, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "command-in-example",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope runs a command of an example",
    why: "the command runs each time the skill loads, and the model reads its output in place of the example",
    explanation: include_str!("command_in_example.md"),
    check: Check::Text(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = skill.body.as_ref().filter(|body| body.commands.count > 0) else { return };
    let running = acting::runtimes(skill, facts, |profile| profile.loads.commands.is_some());
    if running.is_empty() {
        return;
    }
    let message = format!("a command of an example is run by {}", listed(&acting::names(&running)));
    let examples = body.commands.first.iter().filter(|mark| mark.value.form == CommandForm::InExample);
    let help =
        "write it between double backticks outside the code block, or put a character before the exclamation mark";
    several::report(sink, examples.map(|mark| Occurrence::of(mark, &message).with_help(help)));
}
