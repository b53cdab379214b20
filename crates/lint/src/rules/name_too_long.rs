//! Reports names that are longer than the limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_too_long};
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "name-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a name is longer than the limit",
    why: "the Agent Skills specification allows 64 characters; a longer name fails validation",
    explanation: include_str!("name_too_long.md"),
    check: Check::Skill(check),
    explains: Some(|reason, limits| reason.is_too_long(&[Measured::Name, Measured::QualifiedName], limits.name_chars)),
    limits: &["name-chars"],
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name") else { return };
    if let Some((finding, _)) = report_too_long(sink, "name", &name, facts.limits.name_chars) {
        finding.help("shorten the name, and rename the directory to match");
    }
}
