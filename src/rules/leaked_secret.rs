//! A secret in a skill.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "leaked-secret",
    group: Group::Security,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a file holds what looks like a token or a private key",
    why: "whoever can read the repository has it, and so has every model that the skill is shown to",
    explanation: include_str!("leaked_secret.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    for found in &body.secrets.first {
        // What it is, and where, and never what it says.
        sink.report(found.place, format!("this looks like {}", found.value))
            .note("deleting it is not enough: it stays in the history of the repository")
            .help("revoke it where it was issued, and let the skill read it from the environment");
    }
}
