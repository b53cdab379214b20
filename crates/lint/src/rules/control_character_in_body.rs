//! Reports control characters in bodies.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Sweep};
use skilltree_front_matter::text::Place;
use skilltree_skills::characters;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "control-character-in-body",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a body contains a control character",
    why: "a terminal or a log that shows the body obeys the character; a reviewer does not see it",
    explanation: include_str!("control_character_in_body.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let message = |&character: &char| format!("the body contains the control character U+{:04X}", u32::from(character));
    let whole = Place::new(skill.file, body.start as usize..body.file_bytes as usize);
    let Some(finding) = several::report(sink, several::of_marks(&body.controls, message)) else { return };
    finding.help("remove it; to show one in an example, write its escape, such as `\\x1b`");
    for found in &body.controls.first {
        finding.unsafe_edit(found.place, "");
    }
    finding.sweep(Sweep { find: characters::controls, inside: Some(whole), outside: Vec::new() });
}
