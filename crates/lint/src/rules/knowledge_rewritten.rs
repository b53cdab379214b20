//! Reports shared knowledge whose existing lines were changed or removed.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "knowledge-rewritten",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "a line of the shared knowledge file was changed or removed since the base",
    why: "the file is append-only: a changed line silently loses what an agent learned",
    explanation: include_str!("knowledge_rewritten.md"),
    check: Check::Catalog(check),
    reads: Reads::Knowledge,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    let Some(before) = &catalog.parsed.records.knowledge_before else { return };
    if let Some((number, place)) = knowledge.rewritten(before) {
        let is_removed = number >= knowledge.lines.len();
        let what = if is_removed { "of the base is missing" } else { "differs from the base" };
        sink.report(place, format!("line {} {what}", number + 1))
            .note("the file is append-only; correct a wrong entry by adding a new one")
            .help("restore the file from the base, and append the new entries");
    }
}
