//! Reports entries by one contributor that follow each other too quickly.

use std::collections::BTreeMap;

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::records::{KnowledgeEntry, SECONDS_BETWEEN};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "knowledge-too-frequent",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "two entries by one contributor are less than 30 seconds apart",
    why: "an agent that records everything hides the useful entries of other agents",
    explanation: include_str!("knowledge_too_frequent.md"),
    check: Check::Catalog(check),
    reads: Reads::Knowledge,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    let mut last: BTreeMap<&str, &KnowledgeEntry> = BTreeMap::new();
    for entry in &knowledge.entries {
        let Some(before) = last.insert(&entry.contributor.value, entry) else { continue };
        let seconds = entry.created_at.value.abs_diff(before.created_at.value);
        if seconds < SECONDS_BETWEEN {
            let unit = if seconds == 1 { "second" } else { "seconds" };
            let message = format!(
                "this entry and line {} by the same contributor are {seconds} {unit} apart; \
                 the minimum is {SECONDS_BETWEEN}",
                before.line
            );
            sink.report(entry.created_at.place, message)
                .related(before.created_at.place, "previous entry by this contributor")
                .help("merge the two into one entry");
        }
    }
}
