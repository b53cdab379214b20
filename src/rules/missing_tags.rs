//! A skill for SwarmAssistant without tags.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "missing-tags",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a skill for SwarmAssistant has no tags",
    why: "SwarmAssistant picks skills by their tags and drops one that has none",
    explanation: include_str!("missing_tags.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        let (place, fact) = match skill.field("tags") {
            Some(field) if swarm::words(field).is_empty() => (field.value.place, "`tags` is empty"),
            Some(_) => continue,
            None => (skill.opener(), "the skill has no tags"),
        };
        sink.about(Subject::Skill(id))
            .report(place, format!("{fact}, so SwarmAssistant does not load it"))
            .help("write `tags: [word, …]`: single words that occur in the tasks it is for");
    }
}
