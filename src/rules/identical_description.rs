//! Two skills with one description.

use std::collections::HashMap;

use crate::catalog::{self, Catalog};
use crate::roots::RootId;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::skill::SkillId;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "identical-description",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "two skills of a root have one description",
    why: "an agent chooses by the description: between two skills that say the same it can only guess",
    explanation: include_str!("identical_description.md"),
    check: Check::Catalog(check),
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

/// Whether two skills are one by their names, which is another finding, or by a link.
fn is_one_skill(catalog: &Catalog, one: SkillId, other: SkillId) -> bool {
    let identity = |id| catalog.skill(id).name().map(catalog::identity);
    let file = |id| catalog.file(catalog.skill(id).file).shown_path();
    identity(one) == identity(other) || file(one) == file(other)
}

fn report(catalog: &Catalog, first: SkillId, later: SkillId, place: Place, sink: &mut Sink) {
    let path = text::lossless(catalog.path(first));
    let finding =
        sink.about(Subject::Skill(later)).report(place, format!("the description is that of `{path}`, word for word"));
    if let Some(original) = catalog.skill(first).field("description") {
        finding.related(original.value.place, "first written here");
    }
    finding.help("say in each of the two what only that one does");
}
