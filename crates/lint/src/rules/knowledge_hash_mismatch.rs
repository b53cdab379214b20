//! Reports entries of the shared knowledge whose hash does not match.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "knowledge-hash-mismatch",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "the hash of a knowledge entry does not match its content and scope",
    why: "the entry was changed after it was written, so it is not added to prompts",
    explanation: include_str!("knowledge_hash_mismatch.md"),
    check: Check::Catalog(check),
    reads: Reads::Knowledge,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    for entry in knowledge.entries.iter().filter(|entry| entry.content_hash.value != entry.hash()) {
        sink.report(entry.content_hash.place, "the hash does not match the content and scope of this line")
            .help(format!("restore the original line; if this line is correct, set its hash to `{}`", entry.hash()));
    }
}
