//! A copy that is not like its original any more.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::select;
use crate::skill::SkillId;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "drifted-copy",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "two mirrors hold different versions of one skill",
    why: "agents that read one root follow the old text and those that read the other the new one",
    explanation: include_str!("drifted_copy.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if facts.copies.mirrors.is_empty() {
        return;
    }
    let mirrors = facts.copies.mirrors(facts.roots);
    for namesakes in catalog.namesakes() {
        // Of the roots that are to be equal the first one's skill is what the others are compared with.
        let mut originals: BTreeMap<usize, SkillId> = BTreeMap::new();
        for later in namesakes {
            let root = catalog.skill(later).root;
            let sets = mirrors.sets(root);
            let known = sets.iter().filter_map(|set| originals.get(set).copied());
            let drifted = |&first: &SkillId| catalog.skill(first).root != root && !catalog.are_copies(first, later);
            if let Some(first) = known.into_iter().find(drifted) {
                report(catalog, first, later, sink);
            }
            for &set in sets {
                originals.entry(set).or_insert(later);
            }
        }
    }
}

fn report(catalog: &Catalog, first: SkillId, later: SkillId, sink: &mut Sink) {
    let (skill, original) = (catalog.skill(later), catalog.skill(first));
    let path = text::lossless(catalog.path(first));
    let name = text::shortened(skill.name().unwrap_or_default(), 64);
    let what = if skill.header == original.header { "in the body alone" } else { "in the front matter" };
    sink.about(Subject::Skill(later))
        .report(select::name_place(skill), format!("`{name}` is not the same as its mirror `{path}` any more"))
        .related(select::name_place(original), "the mirror that comes first")
        .note(format!("they differ {what}"))
        .help("copy the newer one over the older, or make one root a link to the other");
}
