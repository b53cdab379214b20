//! A second YAML document before the closing fence, or a second front matter behind it.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "more-than-one-document",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::SecondDocument],
    summary: "a second YAML document begins inside the front matter, or a second front matter behind it",
    why: "js-yaml, yaml, PyYAML and serde_yaml, on which nearly every runtime stands, refuse two documents where they expect one, and the skill is dropped; of two front matters every runtime reads the first",
    explanation: include_str!("more_than_one_document.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::SecondDocument {
            sink.report(fault.place, "a second YAML document begins inside the front matter")
                .help("remove this line, or make it exactly `---` if the front matter ends here");
        }
    }
    if let Some(place) = skill.front_matter.as_ref().and_then(|front_matter| front_matter.repeated) {
        sink.report(place, "a second front matter begins behind the first")
            .help("keep the one that is meant and remove the other, or move it into a skill of its own");
    }
}
