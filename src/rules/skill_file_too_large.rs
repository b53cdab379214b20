//! A SKILL.md over the limit of bytes.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::snapshot::Body;
use crate::text::Place;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "skill-file-too-large",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[],
    summary: "a SKILL.md is larger than the limit",
    why: "OpenClaw drops a SKILL.md over 256,000 bytes; every other runtime would fill the model's context with it",
    explanation: include_str!("skill_file_too_large.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Body::TooLarge { bytes } = facts.file(skill.file).body else { return };
    let allowed = facts.limits.skill_file_bytes.map(|limit| format!("; {limit} are allowed")).unwrap_or_default();
    sink.report(Place::whole(skill.file), format!("the file has {bytes} bytes{allowed}"))
        .note("it was not read, so nothing else is known of it")
        .help("move reference material into files beside SKILL.md and link to them");
}
