//! A skill below another one.

use bstr::ByteSlice;

use crate::catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "nested-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a skill lies in the directory of another skill",
    why: "runtimes disagree whether it is a skill of its own: some list it, others never see it",
    explanation: include_str!("nested_skill.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let (root, file) = (facts.root(skill), facts.file(skill.file));
    // Where the root's own profile does not look so deep, that is what there is to say.
    let is_read = root.depth.is_none_or(|depth| skill.depth <= depth);
    let Some(outer) = facts.outer_skill(skill).filter(|_| is_read && skill.has_fields() && !catalog::is_misnamed(file))
    else {
        return;
    };
    let directory = text::lossless(text::parent(facts.file(outer).path.as_bstr()));
    sink.report(skill.opener(), format!("the skill lies in the directory of the skill `{directory}`"))
        .related(Place::whole(outer), "the other skill")
        .note("Codex, opencode, goose and CAMEL list it as a skill of its own")
        .note("Claude Code, Gemini CLI, Roo Code, OpenClaw and pi do not see it")
        .help(format!("move it out of `{directory}`, or take its front matter away where it is a step of that skill"));
}
