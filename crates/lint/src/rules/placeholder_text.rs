//! Reports text that the author was supposed to replace.

use bstr::ByteSlice;

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Rule, Sink};
use skilltree_front_matter::text::Place;
use skilltree_skills::skill::{RENDERED, Skill, Unfinished};

/// See the page next to this file.
pub static RULE: Rule = Rule {
    id: "placeholder-text",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a skill contains text that its author wanted to replace",
    why: "an agent selects a skill by its description, and a placeholder matches no request",
    explanation: include_str!("placeholder_text.md"),
    check: Check::Skill(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

/// The edit.
const HELP: &str = "replace it with the text of the skill";

/// Words before a colon that mark a text as unfinished.
const MARKS: [&str; 3] = ["TODO", "FIXME", "TBD"];

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let fields = RENDERED.iter().filter_map(|key| skill.field(key)).map(|field| field.value.place);
    let mut places: Vec<Place> = fields.filter_map(|value| placeholder(skill, value)).collect();
    let in_body = skill.body.as_ref().and_then(|body| body.placeholder);
    places.extend(in_body.filter(|(_, what)| *what == Unfinished::Starter).map(|(place, _)| place));
    let occurrences = places.into_iter().map(|place| {
        let mark = skill.source(place).to_str_lossy();
        let mark = if mark.is_empty() { "TODO" } else { &mark };
        Occurrence::new(place, format!("`{mark}` marks text that is still missing"), mark.as_bytes())
    });
    if let Some(finding) = several::report(sink, occurrences) {
        finding.help(HELP);
    }
    // A skill may be about such marks.
    if let Some((place, Unfinished::Paragraph(mark))) = in_body {
        sink.report(place, format!("a paragraph begins with `{mark}`: its text is still missing"))
            .at_most(Level::Note)
            .help(HELP);
    }
}

/// Returns the first mark in a value: a word at its start, or before a colon and not in quotes.
fn placeholder(skill: &Skill, value: Place) -> Option<Place> {
    let text = skill.source(value).to_str().ok()?;
    let begins = text.len() - text.trim_start_matches(['"', '\'', '[', ' ']).len();
    let is_mark = |&(at, mark): &(usize, &str)| {
        let (before, after) = (&text[..at], &text[at + mark.len()..]);
        let ends = !after.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '_' | '-'));
        let is_label = after.starts_with(": ") && (before.ends_with(' ') || before.ends_with('['));
        let is_alone =
            at == begins && (after.starts_with(':') || after.trim_matches(['"', '\'', ']', '.', ' ']).is_empty());
        ends && (is_label || is_alone)
    };
    let found = MARKS.iter().filter_map(|mark| text.match_indices(mark).find(is_mark)).min();
    let start = value.range().start;
    found.map(|(at, mark)| Place::new(value.file, start + at..start + at + mark.len()))
}
