//! Reports names that are missing, null or only whitespace.

use bstr::ByteSlice;

use super::required;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink};
use skilltree_front_matter::Field;
use skilltree_front_matter::text::Place;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::keys;
use skilltree_skills::limits;
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "missing-name",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: true,
    summary: "a skill has no name",
    why: "without a name, some runtimes drop the skill and others name it after its directory",
    explanation: include_str!("missing_name.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| {
        let is_slip = |key: &String| keys::correction(key) == Some("name");
        reason.is_missing("name") || matches!(reason, Reason::UnknownKey(key) if is_slip(key))
    }),
    ..Rule::DEFAULT
};

/// Keys that are used for the name by mistake.
const OTHER_KEYS: [&str; 4] = ["id", "title", "displayName", "display_name"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    if !skill.has_fields() {
        return;
    }
    let directory = facts.directory_name(skill);
    match skill.field("name") {
        Some(field) if !field.value.is_blank() => {}
        Some(field) => report_blank(skill, field, directory, sink.report(field.value.place, "the name is empty")),
        None => {
            let limit = facts.limits.name_chars;
            let is_valid = |name: &str| facts.is_valid_name(skill, name) && !limits::over(limit, name.len());
            if !required::report_slip(skill, "name", is_valid, sink) {
                report_absence(skill, facts, sink.report(skill.opener(), "the skill has no name"));
            }
        }
    }
}

fn report_blank(skill: &Skill, field: &Field, directory: Option<&str>, finding: &mut Finding) {
    let Some(directory) = directory else {
        finding.help("write the name of the skill directory");
        return;
    };
    finding.help(format!("name it after its directory: `name: {directory}`"));
    let value = quote::name(directory);
    let key = field.key.place;
    if field.value.place != key {
        finding.edit(field.value.place, value);
        return;
    }
    let after_key = key.range().end;
    let rest = skill.header.get(after_key..).unwrap_or_default().lines().next().unwrap_or_default();
    if rest.trim() == b":" {
        finding.edit(Place::new(skill.file, after_key..after_key + rest.len()), format!(": {value}"));
    }
}

fn report_absence(skill: &Skill, facts: &Facts<'_>, finding: &mut Finding) {
    if let Some(field) = OTHER_KEYS.iter().find_map(|key| skill.field(key)) {
        let key = &field.key.value;
        finding.related(field.key.place, format!("`{key}` is not read as the name"));
        if field.value.text().is_some_and(|name| facts.is_valid_name(skill, name)) {
            finding.help(format!("rename `{key}` to `name`")).unsafe_edit(field.key.place, "name");
            return;
        }
    }
    match facts.directory_name(skill) {
        Some(directory) => {
            finding.help(format!("name it after its directory: `name: {directory}`"));
            insert(skill, directory, finding);
        }
        None => {
            finding.help("write `name: …` with lowercase words joined by hyphens, the same as the directory");
        }
    }
}

/// Inserts a line after the opening fence, with the same line ending and the indentation of the first key.
fn insert(skill: &Skill, directory: &str, finding: &mut Finding) {
    let end = skill.opener().range().end;
    let after = skill.header.get(end..).unwrap_or_default();
    let line_ending = match after {
        [b'\r', b'\n', ..] => "\r\n",
        [b'\r', ..] => "\r",
        [b'\n', ..] => "\n",
        _ => return,
    };
    if let Some(indentation) = indentation(skill) {
        let line = format!("{line_ending}{indentation}name: {}", quote::name(directory));
        finding.edit(Place::new(skill.file, end..end), line);
    }
}

/// Returns the spaces before the first key; `None` if its line has other text before it, as in a flow mapping.
fn indentation(skill: &Skill) -> Option<String> {
    let fields = skill.front_matter.as_ref()?.fields.as_ref()?;
    let before = skill.header.get(..fields.first()?.key.place.range().start)?;
    let line = before.rfind_byteset(b"\r\n").map_or(before, |line_ending| &before[line_ending + 1..]);
    line.iter().all(|&byte| byte == b' ').then(|| " ".repeat(line.len()))
}
