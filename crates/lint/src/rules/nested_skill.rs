//! Reports skills inside the directory of another skill.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog;
use skilltree_runtimes::forecast::{Reason, SkippedDirectory};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "nested-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a skill is inside the directory of another skill",
    why: "runtimes disagree about nested skills: some list them as separate skills, others never find them",
    explanation: include_str!("nested_skill.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| {
        matches!(reason, Reason::TooDeep(_) | Reason::SkippedDirectory(SkippedDirectory::BelowSkill))
    }),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let (root, file) = (facts.root(skill), facts.file(skill.file));
    // `too-deep-skill` reports a skill that the profile of the root does not reach.
    let is_read = root.depth.is_none_or(|depth| skill.depth <= depth);
    let Some(outer) = facts.outer_skill(skill).filter(|_| is_read && skill.has_fields() && !catalog::is_misnamed(file))
    else {
        return;
    };
    let directory = text::lossless(text::parent(facts.file(outer).path.as_bstr()));
    sink.report(skill.opener(), format!("the skill is inside the directory of the skill `{directory}`"))
        .related(Place::whole(outer), "the outer skill")
        .help(format!("move it out of `{directory}`, or remove its front matter if it is a step of that skill"));
}
