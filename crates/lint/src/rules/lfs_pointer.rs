//! Reports a SKILL.md that is stored in Git LFS.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "lfs-pointer",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::LfsPointer],
    summary: "a SKILL.md is a Git LFS pointer",
    why: "a reader without Git LFS, such as a dispatcher, gets a three-line pointer instead of the skill",
    explanation: include_str!("lfs_pointer.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::LfsPointer {
            sink.report(fault.place, "the file is a Git LFS pointer, not a skill")
                .help("add `SKILL.md !filter !diff !merge text` to .gitattributes, and commit the real file again");
        }
    }
}
