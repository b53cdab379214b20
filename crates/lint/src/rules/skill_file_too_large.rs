//! A SKILL.md over the size limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::Body;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "skill-file-too-large",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    summary: "a SKILL.md is larger than the limit",
    why: "a file of this size fills the model's context and can make a runtime drop the skill",
    explanation: include_str!("skill_file_too_large.md"),
    check: Check::Skill(check),
    explains: Some(|reason, limits| reason.is_too_long(&[Measured::File], limits.skill_file_bytes)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Body::TooLarge { bytes } = facts.file(skill.file).body else { return };
    let limit = facts.limits.skill_file_bytes.map(|limit| format!("; the limit is {}", text::grouped(limit)));
    sink.report(
        Place::whole(skill.file),
        format!("the file has {} bytes{}", text::grouped(bytes), limit.unwrap_or_default()),
    )
    .note("skilltree did not read the file, so no other rule checked it")
    .help("move reference material into files next to SKILL.md and link to them");
}
