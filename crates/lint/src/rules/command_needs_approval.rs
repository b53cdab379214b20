//! Reports commands of a body that stop the skill, because nothing allows them.

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Rule, Sink, Text};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::approval::{self, Unapproved};
use skilltree_skills::agents;
use skilltree_skills::skill::{Command, CommandForm, Mark, Skill};
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::CONFIG_BYTES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "command-needs-approval",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a command of the body is not allowed by the skill",
    why: "a runtime that may not run the command stops the skill, and the model never reads it",
    explanation: include_str!("command_needs_approval.md"),
    check: Check::Text(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    if matches!(facts.text, Text::Command | Text::PluginCommand) && is_over(skill, facts, sink) {
        return;
    }
    let Some(body) = skill.body.as_ref().filter(|body| body.commands.count > 0) else { return };
    let runtimes = acting::runtimes(skill, facts, |profile| profile.loads.approval.is_some());
    if !runtimes.is_empty() {
        let kept = text::grouped(Command::KEPT);
        let more = |count: String| format!("the first {kept} commands are compared, and {count} more are not");
        if let Some(finding) = several::report_rest(sink, &body.commands, more) {
            finding.at_most(Level::Note).help("move some of them to a script");
        }
    }
    for profile in runtimes {
        let Some(approval) = &profile.loads.approval else { continue };
        let entries = acting::entries(skill, &approval.field);
        let occurrence = |mark: &Mark<Command>| {
            // Who starts a command gives it arguments.
            let has_arguments = facts.text != Text::Skill;
            let found = approval::unapproved(approval, &mark.value.text, &entries, has_arguments)?;
            let (message, help) =
                described(&found, profile.actor(), &approval.field, mark.value.form, facts.text.noun());
            Some(Occurrence::of(mark, message).with_help(help))
        };
        let run = |mark: &&Mark<Command>| !matches!(mark.value.form, CommandForm::Glued | CommandForm::InExample);
        several::report(sink, body.commands.first.iter().filter(run).filter_map(occurrence));
    }
}

/// Reports a command that is over a limit. Returns whether it is.
fn is_over(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) -> bool {
    let (message, help) = match (&facts.file(skill.file).body, agents::excess(&skill.faults)) {
        (Body::TooLarge { bytes }, _) => (
            format!("the command has {} bytes, and is not checked", text::grouped(*bytes)),
            format!("shorten it to at most {} bytes", text::grouped(CONFIG_BYTES)),
        ),
        (_, Some(excess)) => {
            (format!("the front matter of the command {excess}, and is not checked"), "shorten it".to_owned())
        }
        _ => return false,
    };
    sink.report(Place::whole(skill.file), message).at_most(Level::Note).help(help);
    true
}

fn described(found: &Unapproved, actor: &str, field: &str, form: CommandForm, noun: &str) -> (String, String) {
    match found {
        Unapproved::Variable(variable) => (
            format!("{actor} cannot check a command with `{variable}`, and stops the {noun}"),
            "tell the model to run the command, or allow the tool without a pattern".to_owned(),
        ),
        Unapproved::Outside { path, entry } => {
            let help = match entry {
                Some(entry) => format!("add `{}` to `{field}`", text::shortened(entry, 80)),
                None => "tell the model to run the command, or allow the tool without a pattern".to_owned(),
            };
            (format!("`{}` is outside the project: {actor} stops the {noun}", text::shortened(path, 80)), help)
        }
        Unapproved::NoEntry { command, entry } => {
            let message =
                format!("`{field}` does not allow `{}`: {actor} stops the {noun}", text::shortened(command, 80));
            let add = format!("add `{}` to `{field}`", text::shortened(entry, 80));
            let example = "; if it is an example, write it between double backticks outside the code block";
            (message, add + if form == CommandForm::InBlock { example } else { "" })
        }
    }
}
