//! Reports descriptions that are missing, null or only whitespace.

use super::{prose, required};
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink};
use skilltree_front_matter::Field;
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::keys;
use skilltree_skills::limits;
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "missing-description",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: true,
    summary: "a skill has no description",
    why: "agents choose skills by description; a skill without one is not chosen, and often does not load",
    explanation: include_str!("missing_description.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| {
        let is_slip = |key: &String| keys::correction(key) == Some("description");
        reason.is_missing("description") || matches!(reason, Reason::UnknownKey(key) if is_slip(key))
    }),
    ..Rule::DEFAULT
};

/// Keys that are used for the description by mistake.
const OTHER_KEYS: [&str; 4] = ["summary", "desc", "about", "when_to_use"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    if !skill.has_fields() {
        return;
    }
    match skill.field("description") {
        Some(field) if !field.value.is_blank() => {}
        Some(field) => report_empty(skill, field, sink),
        None => {
            let limit = facts.limits.description_chars;
            let is_valid = |text: &str| !limits::over(limit, text::length(text).chars);
            if !required::report_slip(skill, "description", is_valid, sink) {
                report_absence(skill, sink.report(skill.opener(), "the skill has no description"));
            }
        }
    }
}

const HELP: &str = "write `description: …` with what the skill does and when to use it";

/// Reports an empty description, and the text on the next line that YAML reads as a key.
fn report_empty(skill: &Skill, field: &Field, sink: &mut Sink) {
    let finding = sink.report(field.value.place, "the description is empty").help(HELP);
    let key = field.key.place.range();
    let next = skill.fields().find(|next| next.key.place.range().start > key.end);
    let Some(next) = next.filter(|next| prose::is_prose(&next.key.value)) else { return };
    finding.related(next.key.place, "YAML reads this text as a key");
    let text = prose::written(next).and_then(|text| prose::quoted(&text));
    let place = prose::from_colon(skill, field, next.value.place.range().end);
    if let Some((place, (help, text))) = place.zip(text) {
        finding.help(help).unsafe_edit(place, text);
    }
}

/// Points to the key that probably holds the description. `when_to_use` has its own meaning and is never renamed.
fn report_absence(skill: &Skill, finding: &mut Finding) {
    let mut found = OTHER_KEYS.iter().filter_map(|key| skill.field(key));
    match found.find(|field| field.value.text().is_some()) {
        Some(field) if field.key.value == "when_to_use" => {
            finding
                .related(field.key.place, "does not replace the description")
                .help("add `description: …` next to `when_to_use`, with what the skill does and when to use it");
        }
        Some(field) => {
            let key = &field.key.value;
            finding
                .related(field.key.place, format!("`{key}` is not read as the description"))
                .help(format!("rename `{key}` to `description`"))
                .unsafe_edit(field.key.place, "description");
        }
        None => report_sentence(skill, finding),
    }
}

/// Points to a sentence without a key.
fn report_sentence(skill: &Skill, finding: &mut Finding) {
    finding.help(HELP);
    let Some(field) = skill.fields().find(|field| prose::is_prose(&field.key.value)) else { return };
    finding.related(field.key.place, "YAML reads this text as a key");
    let Some(text) = prose::written(field).filter(|text| !text.contains(['\n', '\r'])) else { return };
    let line = format!("description: {}", quote::quoted(&text));
    let place = Place::new(skill.file, field.key.place.range().start..field.value.place.range().end);
    finding.help(format!("write `{}`", text::shortened(&line, 80))).unsafe_edit(place, line);
}
