//! A control character where only text may stand.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "control-character",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::ControlCharacter],
    summary: "a control character stands in the front matter, or a NUL anywhere",
    why: "YAML allows no control characters: the parsers of Codex, goose, Roo Code, opencode and CAMEL refuse the front matter, and the skill is gone",
    explanation: include_str!("control_character.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let body = skill.body.as_ref().map_or(u32::MAX, |body| body.start);
    for fault in &skill.faults {
        let What::ControlCharacter(character) = fault.what else { continue };
        let part = if fault.place.start < body { "front matter" } else { "body" };
        let message = format!("the control character U+{:04X} stands in the {part}", u32::from(character));
        let finding = sink.report(fault.place, message);
        if character.is_ascii() {
            finding.help("remove it").unsafe_edit(fault.place, "");
        } else {
            // C1 controls come from quotes and dashes of Windows-1252 that were read as Latin-1.
            finding.help("type the character that was meant: text in Windows-1252 was probably read as Latin-1");
        }
    }
}
