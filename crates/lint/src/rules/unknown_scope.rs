//! Unknown scopes.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-scope",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a scope is unknown",
    why: "only `global` and `task:ID` are scopes; any other value restricts nothing",
    explanation: include_str!("unknown_scope.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let Some(field) = skill.field("scope").filter(|field| !field.value.is_blank()) else { continue };
        let word = field.value.scalar().map(str::trim);
        let is_task = |word: &str| word.strip_prefix("task:").is_some_and(|task| !task.trim().is_empty());
        if word.is_some_and(|word| word.eq_ignore_ascii_case("global") || is_task(word)) {
            continue;
        }
        let message = word.map_or("`scope` is not a string".to_owned(), |word| {
            format!("unknown scope `{}`", text::shortened(word, 64))
        });
        sink.about(Subject::Skill(id))
            .report(field.value.place, message)
            .help("write `scope: global`, which is the default, or `scope: task:ID`");
    }
}
