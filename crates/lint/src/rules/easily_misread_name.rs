//! Reports ASCII names that look like another name.

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::clashes::joined_alike;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "easily-misread-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Note,
    summary: "two names differ only in letters that look alike",
    why: "a reader mistakes one name for the other: `modern` and `modem` look the same in many fonts",
    explanation: include_str!("easily_misread_name.md"),
    check: Check::Catalog(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (first, later) in catalog.look_alikes(facts.scope) {
        let (name, other) = (catalog.skill(later).name(), catalog.skill(first).name());
        let (Some(name), Some(other)) = (name, other) else { continue };
        if name.is_ascii() && other.is_ascii() && joined_alike(name) != joined_alike(other) {
            let path = text::lossless(catalog.path(first));
            sink.about(Subject::Skill(later))
                .report(
                    catalog.skill(later).name_place(),
                    format!("`{name}` looks like `{other}`, the name of `{path}`"),
                )
                .related(catalog.skill(first).name_place(), "the similar name")
                .help("if both names are intended, add a word to one of them");
        }
    }
}
