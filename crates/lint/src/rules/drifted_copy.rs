//! Reports mirrored skills that differ.

use std::collections::BTreeMap;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "drifted-copy",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "two mirrors contain different versions of a skill",
    why: "agents that read one mirror follow the old text, and agents that read the other follow the new one",
    explanation: include_str!("drifted_copy.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if facts.copies.mirrors.is_empty() {
        return;
    }
    let mirrors = facts.copies.mirrors(facts.roots);
    for namesakes in catalog.namesakes() {
        // The skill of the first root in a set of mirrors is compared with all others.
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
    let what = if skill.header == original.header { "only in the body" } else { "in the front matter" };
    sink.about(Subject::Skill(later))
        .report(skill.name_place(), format!("`{name}` differs from its mirror `{path}`"))
        .related(original.name_place(), "the first mirror")
        .note(format!("they differ {what}"))
        .help("copy the newer version over the older, or replace one skills directory with a link to the other");
}
