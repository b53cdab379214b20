//! Reports control characters in front matter, and NUL characters anywhere.

use std::collections::BTreeSet;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Sweep};
use skilltree_front_matter::text::Place;
use skilltree_front_matter::{FaultKind, Node, NodeKind, Style, What};
use skilltree_skills::quote;
use skilltree_skills::skill::{RENDERED, Skill};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "control-character",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::ControlCharacter],
    summary: "the front matter contains a control character, or the file contains a NUL",
    why: "YAML forbids control characters, so parsers reject the front matter; an escaped one reaches prompts and terminals",
    explanation: include_str!("control_character.md"),
    check: Check::Skill(check),
    keeps_level: true,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let body = skill.body.as_ref().map_or(u32::MAX, |body| body.start);
    for fault in &skill.faults {
        let What::ControlCharacter(character) = fault.what else { continue };
        let part = if fault.place.start < body { "front matter" } else { "body" };
        let message = format!("the {part} contains the control character U+{:04X}", u32::from(character));
        let finding = sink.report(fault.place, message);
        if character.is_ascii() {
            finding.help("remove it").unsafe_edit(fault.place, "").sweep(sweep(skill, fault.place));
        } else {
            // C1 controls come from Windows-1252 quotes and dashes that were read as Latin-1.
            finding.help("type the intended character; Windows-1252 text was probably read as Latin-1");
        }
    }
    for key in RENDERED {
        if let Some(field) = skill.field(key) {
            check_escapes(skill, key, &field.value, sink);
        }
    }
}

/// Describes the other characters that the same edit deletes: each kind is reported once.
fn sweep(skill: &Skill, place: Place) -> Sweep {
    let yaml = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml);
    let inside = yaml.filter(|yaml| yaml.contains(place));
    Sweep { find: if inside.is_some() { ascii_controls } else { nul }, inside, outside: Vec::new() }
}

/// Finds NUL characters. A body may contain any other control character.
fn nul(text: &str) -> Vec<(usize, char)> {
    text.match_indices('\0').map(|(at, _)| (at, '\0')).collect()
}

/// Finds the ASCII control characters that YAML forbids.
fn ascii_controls(text: &str) -> Vec<(usize, char)> {
    let is_refused = |&(_, character): &(usize, char)| character.is_ascii_control() && !is_usual(character);
    text.char_indices().filter(is_refused).collect()
}

/// Returns whether YAML allows a control character.
fn is_usual(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r')
}

/// Reports control characters written as escapes in a double-quoted value, each once.
fn check_escapes(skill: &Skill, key: &str, value: &Node, sink: &mut Sink) {
    let NodeKind::Scalar { text, style: Style::DoubleQuoted, .. } = &value.kind else { return };
    let is_control = |character: char| character.is_control() && !is_usual(character);
    if !text.contains(is_control) {
        return;
    }
    let mut reported = BTreeSet::new();
    for (range, character) in quote::escapes(skill.source(value.place)) {
        if is_control(character) && reported.insert(character) {
            let start = value.place.range().start;
            let place = Place::new(value.place.file, start + range.start..start + range.end);
            let message = format!("`{key}` contains an escaped control character, U+{:04X}", u32::from(character));
            sink.report(place, message).help("remove it, or type the intended character").unsafe_edit(place, "");
        }
    }
}
