//! Reports skills with the description of an earlier skill.

use std::collections::HashMap;

use super::namesakes::is_one_skill;
use crate::rule::{Check, E2026, Elsewhere, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "identical-description",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "two skills in a skills directory have the same description",
    why: "an agent selects a skill by its description, so it can only guess between the two",
    explanation: include_str!("identical_description.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let mut first: HashMap<(RootId, &str), SkillId> = HashMap::new();
    for &id in &catalog.listed {
        let skill = catalog.skill(id);
        let Some(description) = skill.text("description").filter(|description| !description.value.is_empty()) else {
            continue;
        };
        let earlier = *first.entry((skill.root, description.value)).or_insert(id);
        if earlier != id && !is_one_skill(catalog, earlier, id) {
            report(catalog, earlier, id, description.place, sink);
        }
    }
}

fn report(catalog: &Catalog, first: SkillId, later: SkillId, place: Place, sink: &mut Sink) {
    let message = |other| format!("the description is the same as in `{}`", text::lossless(catalog.path(other)));
    let finding = sink.about(Subject::Skill(later)).report(place, message(first));
    if let Some(original) = catalog.skill(first).field("description") {
        let (subject, place) = (Subject::Skill(first), original.value.place);
        finding.or_at(Elsewhere::Other { subject, place, message: message(later) }).related(place, "first used here");
    }
    finding.help("describe in each skill what only that skill does");
}
