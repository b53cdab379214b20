//! YAML features that not all parsers support, such as anchors and tags.

use std::collections::BTreeMap;

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Rule, Sink};
use skilltree_front_matter::text::Place;
use skilltree_front_matter::{FaultKind, Feature, What};
use skilltree_skills::skill::Skill;

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
    let mut kinds: BTreeMap<Feature, Vec<(Feature, Place)>> = BTreeMap::new();
    for fault in &skill.faults {
        if let What::Unportable(feature) = fault.what {
            kinds.entry(kind(feature)).or_default().push((feature, fault.place));
        }
    }
    for uses in kinds.into_values() {
        several::report(
            sink,
            uses.into_iter().map(|(feature, place)| {
                let message = format!("YAML parsers disagree on this feature: {feature}");
                Occurrence::new(place, message, skill.source(place)).with_help(help(feature))
            }),
        );
    }
}

/// Returns the feature that a finding is about: an alias is a use of an anchor.
fn kind(feature: Feature) -> Feature {
    if feature == Feature::Alias { Feature::Anchor } else { feature }
}

fn help(feature: Feature) -> &'static str {
    match feature {
        Feature::Directive => "remove the line",
        Feature::MergeKey => "write out the merged keys",
        Feature::LineBreak(_) => "replace it with a space",
        Feature::Tag | Feature::Anchor | Feature::Alias | Feature::UndefinedAlias => {
            "write the value itself, or quote it if it is text"
        }
    }
}
