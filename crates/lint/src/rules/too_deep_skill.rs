//! Skills below the depth that the profile of their root reads.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, higher};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "too-deep-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a skill is nested deeper than the profile of its skills directory reads",
    why: "a runtime with this profile does not look at this depth, so it never sees the skill",
    explanation: include_str!("too_deep_skill.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::TooDeep(_))),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let (root, file) = (facts.root(skill), facts.file(skill.file));
    let Some(depth) = root.depth.filter(|&depth| skill.depth > depth && !catalog::is_misnamed(file)) else { return };
    let (path, profile) = (text::lossless(root.shown_path()), &root.profile);
    let message =
        format!("the skill is {} directories below `{path}`; the profile `{profile}` reads {depth}", skill.depth);
    let finding = sink.report(Place::whole(skill.file), message);
    finding.note("it is in no list or prompt, and its name is not checked for duplicates");
    finding.help(higher::edit(facts.files, root, skill, depth, true));
}
