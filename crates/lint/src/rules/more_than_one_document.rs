//! Reports a second YAML document inside the front matter, or a second front matter after it.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "more-than-one-document",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::SecondDocument],
    summary: "a second YAML document begins inside the front matter, or a second front matter follows it",
    why: "common YAML libraries reject a second document; a second front matter is read as text",
    explanation: include_str!("more_than_one_document.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::SecondDocument {
            sink.report(fault.place, "a second YAML document begins inside the front matter")
                .help("remove this line, or make it exactly `---` if the front matter ends here");
        }
    }
    if let Some(place) = skill.front_matter.as_ref().and_then(|front_matter| front_matter.repeated) {
        sink.report(place, "a second front matter follows the first")
            .help("remove one of the two, or move the second into a separate skill");
    }
}
