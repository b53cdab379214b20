//! A name that can be taken for another skill's.

use crate::catalog::Catalog;
use crate::catalog::clashes::joined_alike;
use crate::characters;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::select;
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
    for (first, later) in catalog.look_alikes() {
        let (name, other) = (catalog.skill(later).name(), catalog.skill(first).name());
        let (Some(name), Some(other)) = (name, other) else { continue };
        let joints_alone = joined_alike(name) == joined_alike(other);
        // Two names in ASCII that merely look alike are nobody's trick, and advice of their own.
        if !joints_alone && name.is_ascii() && other.is_ascii() {
            continue;
        }
        let path = text::lossless(catalog.path(first));
        let message = if joints_alone {
            format!("`{name}` is `{other}` of `{path}` but for how its words are joined")
        } else {
            format!("`{name}` looks like `{other}` of `{path}`")
        };
        let finding = sink.about(Subject::Skill(later)).report(select::name_place(catalog.skill(later)), message);
        finding.related(select::name_place(catalog.skill(first)), "the name it can be taken for");
        if !joints_alone {
            let foreign = [name, other].into_iter().flat_map(characters::foreign);
            for (character, alike) in foreign.take(SHOWN) {
                finding.note(characters::described(character, alike));
            }
        }
        finding.help("give one of the two a name of its own, and rename its directory to match");
    }
}

/// Letters of another script that are named.
const SHOWN: usize = 8;
