//! Skills hidden by a skill with the same name, in runtimes that read both roots.

use std::collections::BTreeMap;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::namesakes::{self, Namesakes, Way};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::Owner;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "shadowed-skill",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a skill hides another skill with the same name",
    why: "the runtime loads only one of the two skills, so edits to the hidden skill have no effect",
    explanation: include_str!("shadowed_skill.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    // No order decides between skills of one root.
    if catalog.parsed.roots.len() < 2 {
        return;
    }
    let groups = namesakes::groups(catalog);
    if groups.is_empty() {
        return;
    }
    let namesakes = Namesakes::new(catalog, facts);
    let is_ordered = |earlier, later| matches!(namesakes.way(earlier, later), Way::Ordered(_));
    for (first, later) in catalog.clashes(facts.scope, &groups, is_ordered) {
        let Way::Ordered(winners) = namesakes.way(first, later) else { continue };
        // A change of the repository can only fix its own skill.
        let is_own = |skill: SkillId| catalog.root(catalog.skill(skill).root).owner == Owner::Repository;
        let (first, later) = if is_own(first) && !is_own(later) { (later, first) } else { (first, later) };
        let mut by_skill: BTreeMap<SkillId, Vec<&str>> = BTreeMap::new();
        for (profile, skill) in winners {
            by_skill.entry(skill).or_default().push(&profile.title);
        }
        let path = |skill| text::lossless(catalog.path(skill));
        let name = text::shortened(catalog.skill(later).name().unwrap_or_default(), 64);
        let finding = sink.about(Subject::Skill(later)).report(
            namesakes::place(catalog.skill(later)),
            format!("`{name}` is also the name of `{}`; runtimes load only one of the two", path(first)),
        );
        finding.related(namesakes::place(catalog.skill(first)), "the other skill");
        for (skill, titles) in by_skill {
            finding.note(namesakes::loaded(&titles, &format!("`{}`", path(skill))));
        }
        finding.help("remove the hidden skill, or rename it and its directory");
    }
}
