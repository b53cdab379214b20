//! Reports text that may be a secret.

use super::leaked_secret;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "possible-secret",
    group: Group::Security,
    since: E2026,
    level: Level::Warning,
    summary: "a file may contain a token or a password",
    why: "everyone who can read the repository gets the secret, and so does every model that loads the skill",
    explanation: include_str!("possible_secret.md"),
    check: Check::Skill(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    leaked_secret::report(skill, false, sink);
}
