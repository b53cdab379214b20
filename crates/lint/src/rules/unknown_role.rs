//! Unknown roles.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use skilltree_front_matter::NodeKind;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-role",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a role is unknown",
    why: "an unknown role is ignored, and a skill without any known role is dropped",
    explanation: include_str!("unknown_role.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| reason.has_no_known_word("roles")),
    ..Rule::DEFAULT
};

/// Roles of SwarmAssistant, compared case-insensitively (RFC-009, CLI Mode & Phase Awareness).
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
            let finding = sink.report(role.place, format!("unknown role `{shown}`"));
            match text::nearest(role.value, ROLES) {
                Some(suggestion) => {
                    finding.help(format!("change it to `{suggestion}`"));
                    if matches!(field.value.kind, NodeKind::List(_)) {
                        finding.unsafe_edit(role.place, suggestion);
                    }
                }
                None => {
                    finding.help(format!("use one or more of {}", ROLES.map(|role| format!("`{role}`")).join(", ")));
                }
            }
        }
    }
}
