//! Reports lines of the shared knowledge that are not valid entries.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "knowledge-malformed",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "a line of the knowledge file is not a valid entry",
    why: "an entry that cannot be read is missing from every prompt and every query",
    explanation: include_str!("knowledge_malformed.md"),
    check: Check::Catalog(check),
    reads: Reads::Knowledge,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    for fault in &knowledge.faults {
        sink.report(fault.place, &*fault.message).help(&*fault.help);
    }
}
