//! Reports commands of a body that a runtime in scope does not run before the model reads it.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Rule, Sink, listed};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::loads::Commands;
use skilltree_skills::skill::Skill;

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
    let mut profiles: Vec<&Profile> = facts.scope.of(skill.root).collect();
    profiles.sort_by_key(|profile| profile.usage_rank);
    let lacks = |profile: &&Profile| profile.loads.without.iter().any(|cell| cell == CELL);
    let needs_space = |profile: &&Profile| profile.loads.commands == Some(Commands::AfterWhitespace);
    let lacking: Vec<&str> = profiles.iter().copied().filter(lacks).map(Profile::actor).collect();
    let strict: Vec<&str> = profiles.iter().copied().filter(needs_space).map(Profile::actor).collect();
    let commands = body.commands.first.iter();
    if !strict.is_empty() {
        let message = format!("a command right after other text is not run by {}", listed(&strict));
        let occurrence = |mark| Occurrence::of(mark, &message).with_help("put a space before the exclamation mark");
        several::report(sink, commands.clone().filter(|mark| mark.value).map(occurrence));
    }
    if !lacking.is_empty() {
        let message = format!("a command is not run by {}", listed(&lacking));
        let occurrence = |mark| Occurrence::of(mark, &message).with_help("tell the model to run the command");
        several::report(sink, commands.filter(|mark| strict.is_empty() || !mark.value).map(occurrence));
    }
}
