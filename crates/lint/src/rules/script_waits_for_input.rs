//! Reports scripts that wait for input from a terminal.

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "script-waits-for-input",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a script that the skill runs waits for input",
    why: "an agent runs scripts without a terminal, so the script waits until it is stopped",
    explanation: include_str!("script_waits_for_input.md"),
    check: Check::Skill(check),
    reads: Reads::Directory,
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for place in skill.references.scripts.iter().filter_map(|script| script.waits) {
        sink.report(place, "the script waits for input")
            .help("take the value from an argument or an environment variable");
    }
}
