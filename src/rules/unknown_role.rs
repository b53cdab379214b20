//! A role that no agent plays.

use crate::catalog::Catalog;
use crate::front_matter::NodeKind;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unknown-role",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a role is none that SwarmAssistant knows",
    why: "SwarmAssistant ignores a role that it does not know, and drops the skill when no other is left",
    explanation: include_str!("unknown_role.md"),
    check: Check::Catalog(check),
};

/// The roles of SwarmAssistant, in any letter case (RFC-009, CLI Mode & Phase Awareness).
const ROLES: [&str; 5] = ["builder", "debugger", "planner", "researcher", "reviewer"];

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let Some(field) = skill.field("roles") else { continue };
        sink.about(Subject::Skill(id));
        for role in swarm::words(field) {
            if ROLES.iter().any(|known| known.eq_ignore_ascii_case(role.value)) {
                continue;
            }
            let shown = text::shortened(role.value, 64);
            let finding = sink.report(role.place, format!("`{shown}` is no role of SwarmAssistant"));
            match text::nearest(role.value, ROLES) {
                Some(meant) => {
                    finding.help(format!("write `{meant}`"));
                    if matches!(field.value.kind, NodeKind::List(_)) {
                        finding.unsafe_edit(role.place, meant);
                    }
                }
                None => {
                    finding.help(format!("write some of {}", ROLES.map(|role| format!("`{role}`")).join(", ")));
                }
            }
        }
    }
}
