//! A `metadata` that is no map.

use crate::front_matter::{NodeKind, ScalarKind};
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "metadata-not-a-map",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "`metadata` is not a map",
    why: "Codex reads `metadata` as a map and refuses the whole front matter when it is a text, a list or an explicit null: the skill is gone",
    explanation: include_str!("metadata_not_a_map.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("metadata") else { return };
    let what = match &field.value.kind {
        NodeKind::Map(_) => return,
        NodeKind::List(_) => "a list",
        // Nothing at all behind the key is an empty map to every loader, and `null` is none to Codex.
        NodeKind::Scalar { text, kind: ScalarKind::Null, .. } if text.is_empty() => return,
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => "null",
        NodeKind::Scalar { .. } => quote::not_a_string(&field.value).unwrap_or("a text"),
    };
    sink.report(field.value.place, format!("`metadata` is {what}, not a map"))
        .help("write keys and values below it, such as `  author: somebody`, or remove it");
}
