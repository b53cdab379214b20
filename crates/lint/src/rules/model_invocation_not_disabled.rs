//! Reports skills that only people may start, if a runtime in scope lists them to its model all the same.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, listed};
use skilltree_front_matter::Node;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "model-invocation-not-disabled",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope does not honor `disable-model-invocation: true`",
    why: "the model of that runtime can start a skill that only a person may start",
    explanation: include_str!("model_invocation_not_disabled.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

/// The key that keeps a skill from the model.
const KEY: &str = "disable-model-invocation";
/// The cell of a profile that is known to have no such key.
const CELL: &str = "keys.unlists";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field(KEY).filter(|field| is_true(&field.value)) else { return };
    let ignores = facts.scope.of(skill.root).filter(|profile| profile.loads.without.iter().any(|cell| cell == CELL));
    let mut ignoring: Vec<_> = ignores.collect();
    if ignoring.is_empty() {
        return;
    }
    ignoring.sort_by_key(|profile| profile.usage_rank);
    let names: Vec<&str> = ignoring.iter().map(|profile| profile.actor()).collect();
    let message = format!("`{KEY}` is not honored by {}", listed(&names));
    let finding = sink.report(field.value.place, message);
    finding.help("move the skill to a skills directory that these runtimes do not read");
    if !facts.scope.is_explicit() {
        // Whether the runtimes are in use is unknown.
        finding.at_most(Level::Note).help("list the runtimes that you use in `targets`");
    }
}

/// Returns whether a value is true in any YAML version.
fn is_true(value: &Node) -> bool {
    value.scalar().is_some_and(|text| ["true", "yes", "on"].iter().any(|word| text.eq_ignore_ascii_case(word)))
}
