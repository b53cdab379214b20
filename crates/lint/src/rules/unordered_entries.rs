//! Reports lists of skills that are not in alphabetical order.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::shortened;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unordered-entries",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a file that lists the skills is not in alphabetical order",
    why: "the configuration requires the order, so that changes of two people do not collide at the end of the list",
    explanation: include_str!("unordered_entries.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of an entry in a message, in code points.
const SHOWN: usize = 80;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    sink.about(Subject::Tree);
    for list in catalog.parsed.lists.iter().filter(|list| list.list.ordered) {
        // A directory is before those whose names begin with its name.
        let key = |value: &str| value.to_lowercase().replace('/', "\0");
        let unordered = list.entries.windows(2).find(|pair| key(&pair[0].value) > key(&pair[1].value));
        let Some([before, entry]) = unordered else { continue };
        let (before_name, name) = (shortened(&before.value, SHOWN), shortened(&entry.value, SHOWN));
        sink.report(entry.place, format!("`{name}` is after `{before_name}`"))
            .help("sort the entries by their text, without regard to letter case")
            .related(before.place, "the entry before");
    }
}
