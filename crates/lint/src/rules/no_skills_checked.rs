//! Reports a run that checks no skill although the repository has SKILL.md files.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use crate::rules::unchecked;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "no-skills-checked",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "no skill is checked although there are SKILL.md files",
    why: "a check that looks at nothing passes everything",
    explanation: include_str!("no_skills_checked.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if catalog.parsed.skills.is_empty() {
        unchecked::report(catalog, facts, "in no skills directory; nothing is checked", sink);
    }
}
