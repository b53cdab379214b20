//! Reports commands of a body that a runtime in scope does not run before the model reads it.

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Rule, Sink, listed};
use skilltree_runtimes::profile::loads::Commands;
use skilltree_skills::skill::{CommandForm, Skill};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "command-not-run",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a runtime in scope does not run a command of the body",
    why: "the model reads the command in place of its output",
    explanation: include_str!("command_not_run.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

/// The cell of a profile that is known to run no commands.
const CELL: &str = "commands";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = skill.body.as_ref().filter(|body| body.commands.count > 0) else { return };
    let lacking = acting::runtimes(skill, facts, |profile| profile.loads.without.iter().any(|cell| cell == CELL));
    let strict = acting::runtimes(skill, facts, |profile| profile.loads.commands == Some(Commands::AfterWhitespace));
    let of_forms =
        |forms: &'static [CommandForm]| body.commands.first.iter().filter(move |mark| forms.contains(&mark.value.form));
    if !strict.is_empty() {
        let names = listed(&acting::names(&strict));
        let message = format!("a command right after other text is not run by {names}");
        let occurrence = |mark| Occurrence::of(mark, &message).with_help("put a space before the exclamation mark");
        several::report(sink, of_forms(&[CommandForm::Glued]).map(occurrence));
    }
    if !lacking.is_empty() {
        let message = format!("a command is not run by {}", listed(&acting::names(&lacking)));
        let occurrence = |mark| Occurrence::of(mark, &message).with_help("tell the model to run the command");
        // The first finding is about the others.
        let all = &[CommandForm::Span, CommandForm::Block, CommandForm::Glued];
        several::report(sink, of_forms(if strict.is_empty() { all } else { &all[..2] }).map(occurrence));
    }
}
