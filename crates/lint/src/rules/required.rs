//! Required keys that are written with a mistake: one finding for the missing value, with the edit of the key.

use bstr::ByteSlice;

use crate::rule::{Edit, Finding, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Field, odd_separators};
use skilltree_skills::characters;
use skilltree_skills::keys;
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// Reports a missing key at the key that was probably intended; returns `false` if there is none. `is_valid` returns
/// whether the value is valid, so that renaming the key is safe.
pub(super) fn report_slip(skill: &Skill, key: &str, is_valid: impl Fn(&str) -> bool, sink: &mut Sink) -> bool {
    let mut slips = skill.fields().filter(|field| keys::correction(&field.key.value) == Some(key));
    let Some(field) = slips.next() else { return report_tight_colon(skill, key, sink) };
    let (place, typed) = (field.key.place, &field.key.value);
    let message = format!("the skill has no `{key}`; `{}` looks like a misspelling of it", text::shortened(typed, 64));
    let finding = sink.report(place, message);
    note_lookalikes(typed, finding);
    finding.help(format!("rename it to `{key}`"));
    if slips.next().is_none() {
        let safe = field.value.text().map(str::trim_ascii).is_some_and(|text| !text.is_empty() && is_valid(text));
        finding.edits.push(Edit { place, text: key.to_owned(), safe });
    }
    true
}

/// Notes the characters of a key that look like others.
pub(super) fn note_lookalikes(key: &str, finding: &mut Finding) {
    for (character, alike) in characters::foreign(key) {
        finding.note(characters::described(character, alike));
    }
    if keys::unquoted(key) != key {
        finding.note(format!("{TYPOGRAPHIC}: here they are part of the key"));
    }
}

/// The fact about quotes that YAML does not know.
pub(super) const TYPOGRAPHIC: &str = "YAML does not read typographic quotes as quotes";

/// Reports a key with something else in place of its colon, if a later colon makes the text between them a longer key:
/// `description = Fill in: forms`.
fn report_odd_separator(skill: &Skill, key: &str, sink: &mut Sink) -> bool {
    let Some(yaml) = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml) else { return false };
    let start = yaml.range().start;
    let odd = odd_separators(skill.source(yaml)).into_iter().find(|(odd, _)| *odd == key.as_bytes());
    let Some((_, separator)) = odd else { return false };
    let separator = Place::new(yaml.file, start + separator.start..start + separator.end);
    let begins = |field: &&Field| field.key.place.contains(separator);
    let Some(field) = skill.fields().find(begins) else { return false };
    let finding = sink.report(
        field.key.place,
        format!("{} follows `{key}`, not a colon and a space", separator_name(skill, separator)),
    );
    finding.help("write a colon and a space, and put the value in quotes");
    let value = Place::new(yaml.file, separator.range().end..field.value.place.range().end.max(separator.range().end));
    if let Some(quoted) = quote::plain(skill, value).filter(|quoted| !quoted.contains(['\n', '\r'])) {
        finding.help(format!("write `{key}: {}`", text::shortened(&quoted, 64)));
        let place = Place::new(yaml.file, separator.range().start..value.range().end);
        finding.unsafe_edit(place, format!(": {quoted}"));
    }
    true
}

/// Names what is in place of a colon.
pub(super) fn separator_name(skill: &Skill, separator: Place) -> String {
    match skill.source(separator).trim().to_str_lossy().as_ref() {
        "\u{ff1a}" => "a full-width colon".to_owned(),
        "" => "only a space".to_owned(),
        other => format!("`{other}`"),
    }
}

/// Reports a key without a space after its colon, if a later colon makes the text between them a longer key:
/// `description:Fill in: forms`.
fn report_tight_colon(skill: &Skill, key: &str, sink: &mut Sink) -> bool {
    let is_tight = |field: &&Field| {
        let rest = field.key.value.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        rest.is_some_and(|rest| !rest.is_empty() && skill.source(field.key.place).starts_with_str(key))
    };
    let Some(field) = skill.fields().find(is_tight) else { return report_odd_separator(skill, key, sink) };
    let start = field.key.place.range().start;
    let colon = start + key.len() + 1;
    let finding = sink
        .report(Place::new(skill.file, start..colon), format!("missing space after the colon of `{key}`"))
        .help("add a space after the colon, and put the value in quotes");
    let value = Place::new(skill.file, colon..field.value.place.range().end.max(colon));
    if let Some(quoted) = quote::plain(skill, value).filter(|quoted| !quoted.contains(['\n', '\r'])) {
        finding.unsafe_edit(value, format!(" {quoted}"));
    }
    true
}
