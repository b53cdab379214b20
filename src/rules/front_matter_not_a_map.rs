//! A front matter that is a list, a text or empty.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "front-matter-not-a-map",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NotAMap],
    summary: "the front matter is no map of keys and values",
    why: "there is no name and no description to read: every runtime drops the skill or lists it without them",
    explanation: include_str!("front_matter_not_a_map.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::NotAMap(what) = fault.what {
            sink.report(fault.place, format!("the front matter is {what}, not a map of keys and values"))
                .help("write `name: …` and `description: …` between the fences, one to a line");
        }
    }
}
