//! An entry of the shared knowledge with a category that nobody knows.

use crate::catalog::Catalog;
use crate::records::CATEGORIES;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "knowledge-unknown-category",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "the category of an entry is none that is known",
    why: "who looks for gotchas or conventions does not find the entry, and it enters no prompt",
    explanation: include_str!("knowledge_unknown_category.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    sink.about(Subject::Config);
    for entry in &knowledge.entries {
        let category = &entry.category;
        if !CATEGORIES.contains(&category.value.as_str()) {
            let finding =
                sink.report(category.place, format!("`{}` is no category", text::shortened(&category.value, 64)));
            match text::nearest(&category.value, CATEGORIES) {
                Some(near) => finding.help(format!("write `{near}`")),
                None => finding.help(format!("write one of {}", CATEGORIES.map(|word| format!("`{word}`")).join(", "))),
            };
        }
    }
}
