//! Reports files of a skill that none of its texts names.

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unreferenced-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Off,
    summary: "no text of the skill names a file",
    why: "an agent reads only files that a text names, so it never opens this one",
    explanation: include_str!("unreferenced_file.md"),
    check: Check::Skill(check),
    reads: Reads::Directory,
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    for &file in &skill.references.unreferenced {
        let Some(path) = facts.path_in_skill(skill, file) else { continue };
        let shown = text::lossless(path);
        sink.report(Place::whole(file), format!("no other file of the skill names `{}`", text::shortened(&shown, 80)))
            .help("link to the file from SKILL.md, or delete it");
    }
}
