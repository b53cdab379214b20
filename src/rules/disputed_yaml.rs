//! YAML on which the parsers of the field disagree.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "disputed-yaml",
    group: Group::Fences,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[FaultKind::Disputed],
    summary: "some YAML parsers accept the front matter and others refuse it",
    why: "whether the skill is loaded depends on the YAML library of the runtime, and what is refused is mostly dropped without a word",
    explanation: include_str!("disputed_yaml.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::Disputed(how) = fault.what {
            sink.report(fault.place, format!("not every YAML parser takes this: {how}"))
                .help("write it in block style: plain keys, one to a line, nested by two spaces, with no tab outside of quotes");
        }
    }
}
