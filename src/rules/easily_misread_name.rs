//! A name in ASCII that reads like another one.

use crate::catalog::Catalog;
use crate::catalog::clashes::joined_alike;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::select;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "easily-misread-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[],
    summary: "two names differ only in letters that look alike",
    why: "whoever types or reviews one of the names sees the other: `modern` and `modem` are the same word in many fonts",
    explanation: include_str!("easily_misread_name.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (first, later) in catalog.look_alikes() {
        let (name, other) = (catalog.skill(later).name(), catalog.skill(first).name());
        let (Some(name), Some(other)) = (name, other) else { continue };
        if name.is_ascii() && other.is_ascii() && joined_alike(name) != joined_alike(other) {
            let path = text::lossless(catalog.path(first));
            sink.about(Subject::Skill(later))
                .report(select::name_place(catalog.skill(later)), format!("`{name}` reads like `{other}` of `{path}`"))
                .related(select::name_place(catalog.skill(first)), "the name it reads like")
                .help("if both are meant, add a word to one of them that tells them apart");
        }
    }
}
