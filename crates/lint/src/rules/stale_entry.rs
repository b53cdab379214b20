//! Reports entries of a list of skills that name no skill.

use super::{listed, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text::shortened;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "stale-entry",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a file that lists the skills names one that does not exist",
    why: "readers of the list, and programs that install from it, look for a skill that was renamed or deleted",
    explanation: include_str!("stale_entry.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of an entry in a message, in code points.
const SHOWN: usize = 80;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    listed::each(catalog, sink, |names, list, sink| {
        let stale = list.entries.iter().filter(|entry| names.find(list, &entry.value).is_none());
        let occurrences: Vec<Occurrence> = stale
            .map(|entry| {
                let message = format!("`{}` is not a skill", shortened(&entry.value, SHOWN));
                Occurrence::new(entry.place, message, entry.value.as_bytes())
            })
            .collect();
        if let Some(finding) = several::report(sink, occurrences) {
            finding.help("correct the entry, or remove it");
        }
    });
}
