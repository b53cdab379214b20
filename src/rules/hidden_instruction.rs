//! Orders that are not displayed.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::{HiddenText, Skill};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "hidden-instruction",
    group: Group::Security,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "text that no reader of the page sees reads like orders to the model",
    why: "a reviewer of the rendered page does not see it and the model does, which is how orders get past review",
    explanation: include_str!("hidden_instruction.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    for found in &body.hidden_texts.first {
        let HiddenText { holder, says } = found.value;
        sink.report(found.place, format!("{holder} {says}"))
            .note("it is not shown where Markdown is rendered, and a model reads it")
            .help("say it where a reader sees it, or delete it")
            .unsafe_edit(found.place, "");
    }
}
