//! Reports commands of a body that stop the skill, because a file that they need does not exist.

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::{End, Input};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "command-without-file",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a command of the body needs a file that does not exist",
    why: "a runtime that runs the command stops the skill, and the model never reads it",
    explanation: include_str!("command_without_file.md"),
    check: Check::Skill(check),
    reads: Reads::Repository,
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    if skill.links().all(|(_, links)| links.inputs.is_empty()) {
        return;
    }
    // Another runtime may do something else if a command fails.
    for profile in acting::runtimes(skill, facts, |profile| profile.loads.approval.is_some()) {
        for (_, links) in skill.links() {
            several::report(sink, links.inputs.iter().map(|input| occurrence(input, profile.actor())));
        }
    }
}

fn occurrence(input: &Input, actor: &str) -> Occurrence {
    let written = text::shortened(&input.written, 80);
    let (message, help) = match (&input.own, &input.end) {
        (Some(own), _) => (
            format!("`{written}` is not in the project, where the command runs: {actor} stops the skill"),
            format!("write `${{CLAUDE_SKILL_DIR}}/{}`", text::shortened(own, 80)),
        ),
        (None, End::Misspelled(path)) => {
            let path = text::lossless(path.as_ref());
            (
                format!("`{written}` does not exist: {actor} stops the skill"),
                format!("write it as the file is named: `{}`", text::shortened(&path, 80)),
            )
        }
        _ => (
            format!("`{written}` does not exist: {actor} stops the skill"),
            "add the file, correct the path, or end the command with ` || true`".to_owned(),
        ),
    };
    Occurrence::new(input.place, message, input.written.as_bytes()).with_help(help)
}
