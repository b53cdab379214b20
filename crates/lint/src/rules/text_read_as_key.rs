//! Reports lines of a value that YAML reads as a key.

use super::prose;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Field, Node, NodeKind, Style};
use skilltree_skills::keys;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "text-read-as-key",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "YAML reads the second line of a value as a key",
    why: "the value ends at the line above, so every runtime loses the rest of the text",
    explanation: include_str!("text_read_as_key.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for field in skill.fields() {
        let Some((next, whole)) = continuation(skill, field) else { continue };
        let (key, cut) = (text::shortened(&field.key.value, 64), text::shortened(&next.key.value, 64));
        let finding = sink
            .report(next.key.place, format!("YAML reads `{cut}` as a key, so `{key}` ends on the line above"))
            .related(field.key.place, "ends too early")
            .help("put the whole value in quotes on one line");
        let text = field.value.text().zip(prose::written(next)).map(|(value, rest)| format!("{value} {rest}"));
        let place = prose::from_colon(skill, field, whole.range().end);
        if let Some((place, (help, text))) = place.zip(text.as_deref().and_then(prose::quoted)) {
            finding.help(help).unsafe_edit(place, text);
        }
    }
}

/// Returns the field on the next line whose key is probably the rest of a value, and the place of the whole text. Such a
/// key has a space, and the value is unquoted text of several words; or else the key is the start of a sentence below a
/// description.
pub(super) fn continuation<'s>(skill: &'s Skill, field: &Field) -> Option<(&'s Field, Place)> {
    let NodeKind::Scalar { text, style, .. } = &field.value.kind else { return None };
    let is_described = matches!(field.key.value.as_str(), "description" | "when_to_use") && !field.value.is_blank();
    let is_one_line = |node: &Node| {
        let NodeKind::Scalar { style, .. } = node.kind else { return false };
        matches!(style, Style::Plain | Style::SingleQuoted | Style::DoubleQuoted)
    };
    let is_prose = *style == Style::Plain && text.contains(' ');
    if !(is_prose || is_described && is_one_line(&field.value)) {
        return None;
    }
    let end = field.value.place.range().end;
    let next = skill.fields().find(|next| next.key.place.range().start > end)?;
    let between = skill.header.get(end..next.key.place.range().start)?;
    let is_next_line = matches!(between, b"\n" | b"\r\n");
    let is_below = between.trim_ascii().is_empty();
    let typed = &next.key.value;
    let is_text =
        typed.contains(' ') && keys::correction(typed).is_none() && next.key.place.range().len() == typed.len();
    let goes_on = is_prose && is_next_line || is_described && is_below && prose::is_prose(typed);
    let ends = next.value.place.range().end.max(next.key.place.range().end);
    (goes_on && is_text && is_one_line(&next.value))
        .then(|| (next, Place::new(skill.file, field.value.place.range().start..ends)))
}
