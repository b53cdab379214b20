//! Reports entries of the shared knowledge with an unknown category.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::records::CATEGORIES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "knowledge-unknown-category",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "an entry has an unknown category",
    why: "a search by category does not find the entry, and no prompt includes it",
    explanation: include_str!("knowledge_unknown_category.md"),
    check: Check::Catalog(check),
    reads: Reads::Knowledge,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    for entry in &knowledge.entries {
        let category = &entry.category;
        if !CATEGORIES.contains(&category.value.as_str()) {
            let message = format!("unknown category `{}`", text::shortened(&category.value, 64));
            let finding = sink.report(category.place, message);
            match text::nearest(&category.value, CATEGORIES) {
                Some(near) => finding.help(format!("change it to `{near}`")),
                None => finding
                    .help(format!("change it to one of {}", CATEGORIES.map(|word| format!("`{word}`")).join(", "))),
            };
        }
    }
}
