//! Reports front matter that is a list, a string or empty.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "front-matter-not-a-mapping",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NotAMapping],
    summary: "the front matter is not a mapping",
    why: "front matter without keys has neither a name nor a description",
    explanation: include_str!("front_matter_not_a_mapping.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::NotAMapping(what) = fault.what {
            sink.report(fault.place, format!("the front matter is {what}, not a mapping"))
                .help("write `name: …` and `description: …` between the fences, one per line");
        }
    }
}
