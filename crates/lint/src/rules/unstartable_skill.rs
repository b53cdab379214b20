//! Reports skills that neither the model nor a person can start.

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, listed};
use skilltree_skills::keys::{DISABLE_MODEL_INVOCATION, USER_INVOCABLE};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unstartable-skill",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "neither the model nor a person can start a skill",
    why: "the runtime loads the skill, but it is never used",
    explanation: include_str!("unstartable_skill.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field(USER_INVOCABLE) else { return };
    if !skill.disables_invocation() {
        return;
    }
    let runtimes = acting::runtimes(skill, facts, |profile| profile.loads.keys.honors_both_invocations());
    if !runtimes.is_empty() {
        let message = format!("the skill cannot be started in {}", listed(&acting::names(&runtimes)));
        sink.report(field.value.place, message)
            .help(format!("remove `{USER_INVOCABLE}` or `{DISABLE_MODEL_INVOCATION}`"));
    }
}
