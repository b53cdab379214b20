//! Reports Git conflict markers in the text of a skill.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "conflict-marker",
    group: Group::Body,
    since: E2026,
    level: Level::Error,
    keeps_level: true,
    summary: "the text contains a Git conflict marker",
    why: "the merge is not finished, so the model reads both versions of a passage",
    explanation: include_str!("conflict_marker.md"),
    check: Check::Skill(check),
    reads: Reads::Directory,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let references = skill.references.read.iter().map(|reference| &reference.conflicts);
    let scripts = skill.references.scripts.iter().map(|script| &script.conflicts);
    for conflicts in skill.body.iter().map(|body| &body.conflicts).chain(references).chain(scripts) {
        let message = |(): &()| "the text contains a Git conflict marker".to_owned();
        if let Some(finding) = several::report(sink, several::of_marks(conflicts, message)) {
            finding.help("keep one side of the conflict, and remove the three marker lines");
        }
    }
}
