//! Anchors, tags and their kin.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unportable-yaml",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::Unportable],
    summary: "the front matter uses a feature of YAML that not every parser of the field reads",
    why: "some runtimes refuse the feature and drop the skill, others expand it; a line separator beyond ASCII ends the line for PyYAML and for nobody else",
    explanation: include_str!("unportable_yaml.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::Unportable(feature) = fault.what {
            sink.report(fault.place, format!("not every YAML parser reads this alike: {feature}")).help(help(feature));
        }
    }
}

fn help(feature: &str) -> &'static str {
    match feature {
        "a directive" => "remove the line",
        "a merge key" => "write the keys themselves",
        _ if feature.starts_with("U+") => "write a blank instead",
        _ => "write the value itself; put it in quotes if it is meant as text",
    }
}
