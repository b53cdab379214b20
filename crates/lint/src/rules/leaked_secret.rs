//! Reports secrets in a skill.

use super::several;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Precision, Rule, Sink};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "leaked-secret",
    group: Group::Security,
    since: E2026,
    level: Level::Error,
    summary: "a file contains a token or a private key",
    why: "everyone who can read the repository gets the secret, and so does every model that loads the skill",
    explanation: include_str!("leaked_secret.md"),
    check: Check::Skill(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    report(skill, true, sink);
}

/// Reports the secrets in an exact format, or the others: the kind and the place, never the value.
pub(super) fn report(skill: &Skill, exact: bool, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    for found in body.secrets.first.iter().filter(|found| found.value.exact == exact) {
        explain(sink.report(found.place, format!("this looks like {}", found.value.title)));
    }
    if body.secrets.first.iter().any(|found| found.value.exact) == exact {
        let message = |count| format!("{count} more texts look like secrets");
        several::report_rest(sink, &body.secrets, message).map(explain);
    }
}

fn explain(finding: &mut Finding) -> &mut Finding {
    finding
        .note("deleting it is not enough; it stays in the repository history")
        .help("revoke it with its issuer, and read it from the environment instead")
}
