//! A skill for Symphony without `when_to_use`.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "missing-when-to-use",
    group: Group::Fields,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[],
    summary: "a skill in a root of Symphony has no when_to_use",
    why: "Symphony lists a skill as `name — when_to_use`: without the one line that says when, the block falls back to the description",
    explanation: include_str!("missing_when_to_use.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let root = facts.root(skill);
    let is_listed = skill.depth > 0 && root.depth.is_none_or(|depth| skill.depth <= depth);
    let has_description = skill.field("description").is_some_and(|field| !field.value.is_blank());
    if root.profile != "symphony" || !is_listed || !has_description || skill.name().is_none() {
        return;
    }
    let (place, fact) = match skill.field("when_to_use") {
        Some(field) if !field.value.is_blank() => return,
        Some(field) => (field.value.place, "when_to_use is empty"),
        None => (skill.opener(), "the skill has no when_to_use"),
    };
    sink.report(place, format!("{fact}, so its line in the prompt shows the description"))
        .help("write `when_to_use: …`: one line that names the occasions");
}
