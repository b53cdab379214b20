//! Reports skills for SwarmAssistant without roles.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "missing-roles",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a skill in a root that uses roles has no `roles`",
    why: "skills are assigned to agents by role, so a skill without roles goes to no agent",
    explanation: include_str!("missing_roles.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| reason.is_missing("roles") || reason.has_no_known_word("roles")),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let (place, message) = match skill.field("roles") {
            Some(field) if field.value.has_no_words() => {
                (field.value.place, "`roles` is empty, so no agent gets the skill")
            }
            // A mapping, or a list of mappings.
            Some(field) if swarm::words(field).is_empty() => {
                (field.value.place, "`roles` contains no words, so no agent gets the skill")
            }
            Some(_) => continue,
            None => (skill.opener(), "the skill has no `roles`, so no agent gets it"),
        };
        sink.about(Subject::Skill(id)).report(place, message).help(
            "write `roles: [builder, reviewer]`; choose from planner, builder, reviewer, debugger and researcher",
        );
    }
}
