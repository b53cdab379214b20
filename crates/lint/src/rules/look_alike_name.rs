//! Reports names that can be mistaken for the name of another skill.

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::clashes::joined_alike;
use skilltree_skills::characters;
use skilltree_skills::name;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "look-alike-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a name can be mistaken for the name of another skill",
    why: "a reviewer reads one name and an agent loads the other, so an unreviewed skill passes for a reviewed one",
    explanation: include_str!("look_alike_name.md"),
    check: Check::Catalog(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let name = |id: SkillId| catalog.skill(id).name().unwrap_or_default();
    for (first, later) in catalog.look_alikes(facts.scope) {
        // The malformed name imitates the well-formed one, in either order.
        let is_later_right = name::is_well_formed(name(later)) && !name::is_well_formed(name(first));
        let (taken, original) = if is_later_right { (first, later) } else { (later, first) };
        report(catalog, taken, original, sink);
    }
}

fn report(catalog: &Catalog, id: SkillId, original: SkillId, sink: &mut Sink) {
    let name = catalog.skill(id).name().unwrap_or_default();
    let other = catalog.skill(original).name().unwrap_or_default();
    let only_separators = joined_alike(name) == joined_alike(other);
    // `easily-misread-name` reports two ASCII names that look alike.
    if !only_separators && name.is_ascii() && other.is_ascii() {
        return;
    }
    let path = text::lossless(catalog.path(original));
    let message = if only_separators {
        format!("`{name}` and `{other}` in `{path}` differ only in separators or letter case")
    } else {
        format!("`{name}` looks like `{other}` in `{path}`")
    };
    let finding = sink.about(Subject::Skill(id)).report(catalog.skill(id).name_place(), message);
    finding.related(catalog.skill(original).name_place(), "the similar name");
    if !only_separators {
        for (character, alike) in characters::foreign(name).into_iter().take(SHOWN) {
            finding.note(characters::described(character, alike));
        }
    }
    finding.help("give one of the two a distinct name, and rename its directory to match");
}

/// Cap on the letters from other scripts in the notes.
const SHOWN: usize = 8;
