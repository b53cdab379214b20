//! Reports commands of a body that stop the skill, because nothing allows them.

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_runtimes::approval::{self, Unapproved};
use skilltree_skills::skill::{Command, CommandForm, Mark, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "command-needs-approval",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a command of the body is not allowed by the skill",
    why: "a runtime that may not run the command stops the skill, and the model never reads it",
    explanation: include_str!("command_needs_approval.md"),
    check: Check::Skill(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = skill.body.as_ref().filter(|body| body.commands.count > 0) else { return };
    for profile in acting::runtimes(skill, facts, |profile| profile.loads.approval.is_some()) {
        let Some(approval) = &profile.loads.approval else { continue };
        let entries = acting::entries(skill, &approval.field);
        let occurrence = |mark: &Mark<Command>| {
            let found = approval::unapproved(approval, &mark.value.text, &entries)?;
            let (message, help) = described(&found, profile.actor(), &approval.field, mark.value.form);
            Some(Occurrence::of(mark, message).with_help(help))
        };
        let run = |mark: &&Mark<Command>| !matches!(mark.value.form, CommandForm::Glued | CommandForm::InExample);
        several::report(sink, body.commands.first.iter().filter(run).filter_map(occurrence));
    }
}

fn described(found: &Unapproved, actor: &str, field: &str, form: CommandForm) -> (String, String) {
    match found {
        Unapproved::Variable(variable) => (
            format!("{actor} cannot check a command with `{variable}`, and stops the skill"),
            "tell the model to run the command, or allow the tool without a pattern".to_owned(),
        ),
        Unapproved::NoEntry { command, entry } => {
            let message =
                format!("`{field}` does not allow `{}`: {actor} stops the skill", text::shortened(command, 80));
            let add = format!("add `{}` to `{field}`", text::shortened(entry, 80));
            let example = "; if it is an example, write it between double backticks outside the code block";
            (message, add + if form == CommandForm::InBlock { example } else { "" })
        }
    }
}
