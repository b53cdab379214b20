//! A SKILL.md where the directories of skills should lie.

use bstr::ByteSlice;

use crate::name;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::snapshot::Body;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "skill-file-in-root",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a SKILL.md lies in the root itself",
    why: "it is in no directory of its own, so most runtimes never see it, and pi reads it instead of every skill of the root",
    explanation: include_str!("skill_file_in_root.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    let is_file = !matches!(file.body, Body::Directory | Body::Special);
    if skill.depth > 0 || !is_file || text::file_name(file.path.as_bstr()) != "SKILL.md" {
        return;
    }
    let root = text::lossless(facts.root(skill).path.as_bstr());
    let name = skill.name().filter(|name| name::is_well_formed(name)).unwrap_or("NAME");
    sink.report(
        Place::whole(skill.file),
        format!("the file lies in the root `{root}` itself, and in no directory of a skill"),
    )
    .note("Gemini CLI reads it, pi reads it and nothing below the root, and the others do not see it")
    .help(format!("move it to `{root}/{name}/SKILL.md`"));
}
