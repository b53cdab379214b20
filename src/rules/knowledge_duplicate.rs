//! An entry of the shared knowledge that is there already.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::records::Entry;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "knowledge-duplicate",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "an entry says again what another one says",
    why: "an entry that stands twice takes the room of another one in a prompt",
    explanation: include_str!("knowledge_duplicate.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    let mut first: BTreeMap<(&str, &str), &Entry> = BTreeMap::new();
    for entry in &knowledge.entries {
        let known = first.entry((&entry.content.value, &entry.scope.value)).or_insert(entry);
        if known.line != entry.line {
            sink.report(entry.content.place, format!("line {} has the same content and scope", known.line))
                .related(known.content.place, "the first of them")
                .help("remove this line, if no base has it yet");
        }
    }
}
