//! A SKILL.md in other letters.

use bstr::ByteSlice;

use crate::catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::snapshot::Body;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "misnamed-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a skill's file is not called exactly SKILL.md",
    why: "only VS Code and skills-ref read another spelling; every other runtime finds no skill there",
    explanation: include_str!("misnamed_skill_file.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    if !catalog::is_misnamed(file) || matches!(file.body, Body::Directory | Body::Special) {
        return;
    }
    let path = file.path.as_bstr();
    let (name, directory) = (text::lossless(text::file_name(path)), text::lossless(text::parent(path)));
    sink.report(Place::whole(skill.file), format!("the file is called `{name}`, not `SKILL.md`"))
        .help(format!("rename it: `git mv {directory}/{name} {directory}/SKILL.md`"));
}
