//! Entries of one contributor that follow each other too soon.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::records::{Entry, SECONDS_BETWEEN};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "knowledge-too-frequent",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "two entries of one contributor are less than 30 seconds apart",
    why: "an agent that writes down everything drowns what the others learned",
    explanation: include_str!("knowledge_too_frequent.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    let mut last: BTreeMap<&str, &Entry> = BTreeMap::new();
    for entry in &knowledge.entries {
        let Some(before) = last.insert(&entry.contributor.value, entry) else { continue };
        let seconds = entry.created_at.value.abs_diff(before.created_at.value);
        if seconds < SECONDS_BETWEEN {
            let message = format!("it is {seconds} seconds from line {}, by the same contributor", before.line);
            sink.report(entry.created_at.place, message)
                .related(before.created_at.place, "the entry before")
                .help(format!("say both in one entry; {SECONDS_BETWEEN} seconds lie between two at least"));
        }
    }
}
