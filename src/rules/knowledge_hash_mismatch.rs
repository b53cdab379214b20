//! An entry of the shared knowledge whose hash is not its own.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "knowledge-hash-mismatch",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "the hash of an entry is not that of its content and scope",
    why: "the entry is not what its contributor wrote, so it enters no prompt",
    explanation: include_str!("knowledge_hash_mismatch.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    for entry in knowledge.entries.iter().filter(|entry| entry.content_hash.value != entry.hash()) {
        sink.report(entry.content_hash.place, "the hash is not that of the content and the scope of this line")
            .help(format!("undo the change of this line; if it is right as it is, its hash is `{}`", entry.hash()));
    }
}
