//! Reports skills for SwarmAssistant without tags.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "missing-tags",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a skill in a root that uses roles has no `tags`",
    why: "skills are matched to tasks by tags, so a skill without tags is never used",
    explanation: include_str!("missing_tags.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| reason.is_missing("tags")),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let (place, message) = match skill.field("tags") {
            Some(field) if swarm::words(field).is_empty() => {
                (field.value.place, "`tags` is empty, so no task matches the skill")
            }
            Some(_) => continue,
            None => (skill.opener(), "the skill has no `tags`, so no task matches it"),
        };
        sink.about(Subject::Skill(id))
            .report(place, message)
            .help("write `tags: [word, …]` with single words from the tasks that the skill is for");
    }
}
