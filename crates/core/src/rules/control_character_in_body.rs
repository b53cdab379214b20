//! Reports control characters in bodies.

use super::several;
use crate::characters;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Sweep};
use crate::skill::Skill;
use crate::text::Place;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "control-character-in-body",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    faults: &[],
    summary: "a body contains a control character",
    why: "a terminal or a log that shows the body obeys the character; a reviewer does not see it",
    explanation: include_str!("control_character_in_body.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let Some(first) = body.controls.first.first() else { return };
    let message = format!("the body contains the control character U+{:04X}", u32::from(first.value));
    let places: Vec<Place> = body.controls.first.iter().map(|found| found.place).collect();
    let whole = Place::new(skill.file, body.start as usize..body.file_bytes as usize);
    let Some(finding) = several::report(sink, places.iter().copied(), body.controls.count as usize, &message) else {
        return;
    };
    finding.help("remove it; to show one in an example, write its escape, such as `\\x1b`");
    for place in places {
        finding.unsafe_edit(place, "");
    }
    finding.sweep(Sweep { find: characters::controls, inside: Some(whole), outside: Vec::new() });
}
