//! Reports instructions to the model in text that is not displayed.

use super::several;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Precision, Rule, Sink};
use skilltree_skills::skill::{HiddenText, Skill};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "hidden-instruction",
    group: Group::Security,
    since: E2026,
    level: Level::Warning,
    summary: "hidden text reads like instructions to the model",
    why: "a reviewer of the rendered page does not see the text, but the model reads it",
    explanation: include_str!("hidden_instruction.md"),
    check: Check::Skill(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    for found in &body.hidden_texts.first {
        let HiddenText { holder, says } = found.value;
        explain(sink.report(found.place, format!("{holder} {says}"))).unsafe_edit(found.place, "");
    }
    let message = |count| format!("{count} more hidden texts read like instructions");
    several::report_rest(sink, &body.hidden_texts, message).map(explain);
}

fn explain(finding: &mut Finding) -> &mut Finding {
    finding
        .note("rendered Markdown does not show it, but a model reads it")
        .help("move it to visible text, or delete it")
}
