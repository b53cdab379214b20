//! A name that can be taken for another skill's.

use crate::catalog::Catalog;
use crate::catalog::clashes::joined_alike;
use crate::characters;
use crate::name;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::select;
use crate::skill::SkillId;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "look-alike-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a name can be taken for the name of another skill",
    why: "a reviewer reads one name and an agent loads the other: that is how a skill passes for one that was reviewed",
    explanation: include_str!("look_alike_name.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let name = |id: SkillId| catalog.skill(id).name().unwrap_or_default();
    for (first, later) in catalog.look_alikes() {
        // The one that is not well formed is made to look like the other, whatever their order.
        let is_later_right = name::is_well_formed(name(later)) && !name::is_well_formed(name(first));
        let (taken, meant) = if is_later_right { (first, later) } else { (later, first) };
        report(catalog, (taken, name(taken)), (meant, name(meant)), sink);
    }
}

fn report(catalog: &Catalog, (id, name): (SkillId, &str), (meant, other): (SkillId, &str), sink: &mut Sink) {
    let joints_alone = joined_alike(name) == joined_alike(other);
    // Two names in ASCII that merely look alike are nobody's trick, and advice of their own.
    if !joints_alone && name.is_ascii() && other.is_ascii() {
        return;
    }
    let path = text::lossless(catalog.path(meant));
    let message = if joints_alone {
        format!("`{name}` is `{other}` of `{path}` but for how its words are joined")
    } else {
        format!("`{name}` looks like `{other}` of `{path}`")
    };
    let finding = sink.about(Subject::Skill(id)).report(select::name_place(catalog.skill(id)), message);
    finding.related(select::name_place(catalog.skill(meant)), "the name it can be taken for");
    if !joints_alone {
        for (character, alike) in characters::foreign(name).into_iter().take(SHOWN) {
            finding.note(characters::described(character, alike));
        }
    }
    finding.help("give one of the two a name of its own, and rename its directory to match");
}

/// Letters of another script that are named.
const SHOWN: usize = 8;
