//! A skill below the depth that its root's profile reads.

use bstr::ByteSlice;

use crate::catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "too-deep-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a skill lies deeper than its root's profile reads",
    why: "the runtime that reads this root looks for ROOT/<name>/SKILL.md only, and never sees the skill",
    explanation: include_str!("too_deep_skill.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let (root, file) = (facts.root(skill), facts.file(skill.file));
    let Some(depth) = root.depth.filter(|&depth| skill.depth > depth && !catalog::is_misnamed(file)) else { return };
    let (path, profile) = (text::lossless(root.path.as_bstr()), &root.profile);
    let message =
        format!("the skill lies {} directories below `{path}`; the profile `{profile}` reads {depth}", skill.depth);
    let finding = sink.report(Place::whole(skill.file), message);
    finding.note("it is in no list and no prompt, and its name is not compared with others");
    if depth == 1 {
        let directory = text::lossless(skill.directory.as_bstr());
        finding.help(format!("move it up to `{path}/{directory}/SKILL.md`"));
    } else {
        finding.help("move it up");
    }
}
