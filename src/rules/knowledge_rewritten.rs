//! Shared knowledge that was changed instead of added to.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "knowledge-rewritten",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a line of the shared knowledge is not what it was in the base",
    why: "what somebody learned is gone, and nobody hears of it",
    explanation: include_str!("knowledge_rewritten.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    let Some(before) = &catalog.parsed.records.knowledge_before else { return };
    if let Some((number, place)) = knowledge.rewritten(before) {
        let gone = number >= knowledge.lines.len();
        let what = if gone { "is not here any more" } else { "was another one in the base" };
        sink.report(place, format!("line {} {what}", number + 1))
            .note("the file only grows: what turned out to be wrong is said in a new entry")
            .help("take the file of the base, and add the new entries behind its last line");
    }
}
