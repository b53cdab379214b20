//! A description that is absent, null or blank.

use crate::keys;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "missing-description",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[],
    summary: "a skill has no description",
    why: "the description is what an agent chooses by: Codex, Gemini CLI, Roo Code, opencode, OpenClaw, pi and CAMEL drop a skill without one",
    explanation: include_str!("missing_description.md"),
    check: Check::Skill(check),
};

/// Keys under which a description is found by mistake.
const OTHER_KEYS: [&str; 4] = ["summary", "desc", "about", "when_to_use"];

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    if !skill.has_fields() {
        return;
    }
    match skill.field("description") {
        Some(field) if !field.value.is_blank() => {}
        Some(field) => {
            sink.report(field.value.place, "the description is empty").help(HELP);
        }
        None => report_absence(skill, sink.report(skill.opener(), "the skill has no description")),
    }
}

const HELP: &str = "write `description: …`: what the skill does and when to use it";

/// Points to the key that was probably meant. `when_to_use` has a meaning of its own, so it is no candidate for a new name.
fn report_absence(skill: &Skill, finding: &mut Finding) {
    if let Some(field) = skill.fields().find(|field| keys::meant(&field.key.value) == Some("description")) {
        // A rule of its own offers to rename the key.
        let key = &field.key.value;
        finding.related(field.key.place, "no runtime reads this key").help(format!("rename `{key}` to `description`"));
        return;
    }
    let mut found = OTHER_KEYS.iter().filter_map(|key| skill.field(key));
    match found.find(|field| field.value.text().is_some()) {
        Some(field) if field.key.value == "when_to_use" => {
            finding
                .related(field.key.place, "only some runtimes read this")
                .help("add `description: …` beside `when_to_use`: what the skill does and when to use it");
        }
        Some(field) => {
            let key = &field.key.value;
            finding
                .related(field.key.place, format!("no runtime reads `{key}`"))
                .help(format!("rename `{key}` to `description`"))
                .unsafe_edit(field.key.place, "description");
        }
        None => {
            finding.help(HELP);
        }
    }
}
