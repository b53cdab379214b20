//! A scope that nobody knows.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unknown-scope",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a scope is none that SwarmAssistant knows",
    why: "SwarmAssistant knows `global` and the scope of one task: what another word is meant to keep apart is not kept apart",
    explanation: include_str!("unknown_scope.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let Some(field) = skill.field("scope").filter(|field| !field.value.is_blank()) else { continue };
        let word = field.value.scalar().map(str::trim);
        let is_task = |word: &str| word.strip_prefix("task:").is_some_and(|task| !task.trim().is_empty());
        if word.is_some_and(|word| word.eq_ignore_ascii_case("global") || is_task(word)) {
            continue;
        }
        let shown = word.map_or("this".to_owned(), |word| format!("`{}`", text::shortened(word, 64)));
        sink.about(Subject::Skill(id))
            .report(field.value.place, format!("{shown} is no scope of SwarmAssistant"))
            .help("write `scope: global`, which is what a skill without the key has, or `scope: task:ID`");
    }
}
