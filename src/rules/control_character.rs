//! A control character where only text may stand.

use std::collections::BTreeSet;

use crate::front_matter::{FaultKind, Node, NodeKind, Style, What};
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Sweep};
use crate::skill::{RENDERED, Skill};
use crate::text::Place;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "control-character",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::ControlCharacter],
    summary: "a control character stands in the front matter, or a NUL anywhere",
    why: "Codex, goose, Roo Code, opencode and CAMEL refuse a front matter with a control character in it; one that comes by an escape reaches every prompt and terminal",
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
            finding.help("remove it").unsafe_edit(fault.place, "").sweep(sweep(skill, fault.place));
        } else {
            // C1 controls come from quotes and dashes of Windows-1252 that were read as Latin-1.
            finding.help("type the character that was meant: text in Windows-1252 was probably read as Latin-1");
        }
    }
    for key in RENDERED {
        if let Some(field) = skill.field(key) {
            check_escapes(skill, key, &field.value, sink);
        }
    }
}

/// The others of its kind: each is told of once.
fn sweep(skill: &Skill, place: Place) -> Sweep {
    let yaml = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml);
    let inside = yaml.filter(|yaml| yaml.start <= place.start && place.end <= yaml.end);
    Sweep { find: if inside.is_some() { ascii_controls } else { nul }, inside, outside: Vec::new() }
}

/// The NUL characters of a text: no other control has to go from a body.
fn nul(text: &str) -> Vec<(usize, char)> {
    text.match_indices('\0').map(|(at, _)| (at, '\0')).collect()
}

/// The control characters of ASCII that no front matter may hold.
fn ascii_controls(text: &str) -> Vec<(usize, char)> {
    let is_refused = |&(_, character): &(usize, char)| character.is_ascii_control() && !is_usual(character);
    text.char_indices().filter(is_refused).collect()
}

/// Whether a control character may stand in a text.
fn is_usual(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r')
}

/// Says which control characters a value in double quotes has by its escapes, each once.
fn check_escapes(skill: &Skill, key: &str, value: &Node, sink: &mut Sink) {
    let NodeKind::Scalar { text, style: Style::DoubleQuoted, .. } = &value.kind else { return };
    let is_control = |character: char| character.is_control() && !is_usual(character);
    if !text.contains(is_control) {
        return;
    }
    let mut told = BTreeSet::new();
    for (range, character) in quote::escapes(skill.source(value.place)) {
        if is_control(character) && told.insert(character) {
            let start = value.place.range().start;
            let place = Place::new(value.place.file, start + range.start..start + range.end);
            let message = format!("`{key}` has the control character U+{:04X} by an escape", u32::from(character));
            sink.report(place, message).help("remove it, or type the character that was meant").unsafe_edit(place, "");
        }
    }
}
