//! Reports skills for Symphony without `when_to_use`.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "missing-when-to-use",
    group: Group::Fields,
    since: E2026,
    level: Level::Note,
    summary: "a skill has no when_to_use, which its listing needs",
    why: "agents choose by the line `name — when_to_use`; without the key, the line shows the description",
    explanation: include_str!("missing_when_to_use.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| reason.is_missing("when_to_use")),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let root = facts.root(skill);
    let is_listed = skill.depth > 0 && root.depth.is_none_or(|depth| skill.depth <= depth);
    let has_description = skill.field("description").is_some_and(|field| !field.value.is_blank());
    if root.profile != "symphony" || !is_listed || !has_description || skill.name().is_none() {
        return;
    }
    let (place, message) = match skill.field("when_to_use") {
        Some(field) if !field.value.is_blank() => return,
        Some(field) => (field.value.place, "when_to_use is empty, so the prompt shows the description"),
        None => (skill.opener(), "the skill has no when_to_use, so the prompt shows its description"),
    };
    sink.report(place, message).help("write `when_to_use: …` in one line that says when to use the skill");
}
