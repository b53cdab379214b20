//! YAML features that not all parsers support, such as anchors and tags.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unportable-yaml",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::Unportable],
    summary: "the front matter uses a YAML feature that parsers read differently",
    why: "one parser rejects the feature and another expands it, so the skill is dropped or has different values",
    explanation: include_str!("unportable_yaml.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::Unportable(feature) = fault.what {
            sink.report(fault.place, format!("YAML parsers disagree on this feature: {feature}")).help(help(feature));
        }
    }
}

fn help(feature: &str) -> &'static str {
    match feature {
        "a directive" => "remove the line",
        "a merge key" => "write out the merged keys",
        _ if feature.starts_with("U+") => "replace it with a space",
        _ => "write the value itself, or quote it if it is text",
    }
}
