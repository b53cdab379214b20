//! Reports duplicate entries of the shared knowledge.

use std::collections::BTreeMap;

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::records::KnowledgeEntry;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "knowledge-duplicate",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "a knowledge entry duplicates another entry",
    why: "a duplicate takes the place of another entry in a prompt",
    explanation: include_str!("knowledge_duplicate.md"),
    check: Check::Catalog(check),
    reads: Reads::Knowledge,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    let mut first: BTreeMap<(&str, &str), &KnowledgeEntry> = BTreeMap::new();
    for entry in &knowledge.entries {
        let known = first.entry((&entry.content.value, &entry.scope.value)).or_insert(entry);
        if known.line != entry.line {
            sink.report(entry.content.place, format!("line {} has the same content and scope", known.line))
                .related(known.content.place, "the first entry")
                .help("remove this line, unless the base has it too");
        }
    }
}
