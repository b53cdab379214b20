//! A skill for SwarmAssistant without roles.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "missing-roles",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a skill for SwarmAssistant has no roles",
    why: "SwarmAssistant gives a skill to the roles it names and drops one that names none",
    explanation: include_str!("missing_roles.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let (place, fact) = match skill.field("roles") {
            Some(field) if field.value.is_wordless() => (field.value.place, "`roles` is empty"),
            // A map, or a list of them.
            Some(field) if swarm::words(field).is_empty() => (field.value.place, "`roles` holds no word"),
            Some(_) => continue,
            None => (skill.opener(), "the skill has no roles"),
        };
        sink.about(Subject::Skill(id))
            .report(place, format!("{fact}, so SwarmAssistant does not load it"))
            .help("write `roles: [builder, reviewer]`: those of planner, builder, reviewer, debugger and researcher that need it");
    }
}
