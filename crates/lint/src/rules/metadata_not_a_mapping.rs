//! Reports a `metadata` that is not a mapping.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{NodeKind, ScalarKind};
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "metadata-not-a-mapping",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "`metadata` is not a mapping",
    why: "a loader that expects a mapping rejects the skill if it finds a string, a list or an explicit null",
    explanation: include_str!("metadata_not_a_mapping.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| reason.is_wrong_type("metadata")),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("metadata") else { return };
    let what = match &field.value.kind {
        NodeKind::Map(_) => return,
        NodeKind::List(_) => "a list",
        // A missing value is an empty mapping to every loader; Codex rejects an explicit `null`.
        NodeKind::Scalar { text, kind: ScalarKind::Null, .. } if text.is_empty() => return,
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => "null",
        NodeKind::Scalar { .. } => quote::not_a_string(&field.value).unwrap_or("a string"),
    };
    sink.report(field.value.place, format!("`metadata` is {what}, not a mapping"))
        .help("write indented keys and values below it, such as `  author: Sam`, or remove it");
}
