//! A line of the shared knowledge that is no entry.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "knowledge-malformed",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a line of the shared knowledge is no entry",
    why: "what cannot be read is in no prompt: the next agent makes the mistake that this one wrote down",
    explanation: include_str!("knowledge_malformed.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    for fault in &knowledge.faults {
        sink.report(fault.place, &*fault.message).help(&*fault.help);
    }
}
