//! Reports SKILL.md files in no skills directory, next to skills that are checked.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use crate::rules::unchecked;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unchecked-skills",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "some SKILL.md files are in no skills directory",
    why: "skilltree does not check skills there, so their errors stay unseen",
    explanation: include_str!("unchecked_skills.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if !catalog.parsed.skills.is_empty() {
        unchecked::misspelled(catalog, facts, sink);
        if let Some(finding) = unchecked::report(catalog, facts, "in no skills directory and not checked", true, sink) {
            finding.at_most(Level::Note);
        }
    }
}
