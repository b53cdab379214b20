//! A SKILL.md that Git LFS keeps elsewhere.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "lfs-pointer",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::LfsPointer],
    summary: "a SKILL.md is a Git LFS pointer",
    why: "whoever reads the repository without Git LFS, as a dispatcher or a shallow clone does, finds three lines about an object where the skill should be",
    explanation: include_str!("lfs_pointer.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::LfsPointer {
            sink.report(fault.place, "the file is a Git LFS pointer, not a skill")
                .help("add the line `SKILL.md !filter !diff !merge text` to .gitattributes and commit the file anew");
        }
    }
}
