//! A file of threads that cannot be read as one.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "malformed-bindings",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "the file of threads says something that cannot be understood",
    why: "what cannot be understood binds nothing, and the agent works without its skills",
    explanation: include_str!("malformed_bindings.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    sink.about(Subject::Config);
    for fault in catalog.parsed.records.threads.iter().flat_map(|threads| &threads.faults) {
        sink.report(fault.place, &*fault.message).help(&*fault.help);
    }
}
