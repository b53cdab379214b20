//! Reports errors in the threads file.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "malformed-bindings",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "the threads file is invalid",
    why: "an invalid entry binds no skill, and the agent works without it",
    explanation: include_str!("malformed_bindings.md"),
    check: Check::Catalog(check),
    reads: Reads::Threads,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    sink.about(Subject::Config);
    for fault in catalog.parsed.records.threads.iter().flat_map(|threads| &threads.faults) {
        sink.report(fault.place, &*fault.message).help(&*fault.help);
    }
}
