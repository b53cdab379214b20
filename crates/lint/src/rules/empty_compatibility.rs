//! Reports a `compatibility` without text.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "empty-compatibility",
    group: Group::Fields,
    since: E2026,
    level: Level::Note,
    summary: "`compatibility` is empty",
    why: "the Agent Skills specification requires 1 to 500 characters, and an empty value says nothing",
    explanation: include_str!("empty_compatibility.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("compatibility").filter(|field| field.value.is_blank()) else { return };
    sink.report(field.value.place, "`compatibility` is empty").help("write what the skill needs, or remove the key");
}
