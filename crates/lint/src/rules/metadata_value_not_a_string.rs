//! Reports values of `metadata` that are not strings.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_front_matter::{Field, NodeKind, ScalarKind};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "metadata-value-not-a-string",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    summary: "a value of `metadata` is not a string",
    why: "the Agent Skills specification allows only strings: a strict reader loses other values or rejects the skill",
    explanation: include_str!("metadata_value_not_a_string.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::WrongType(field, _) if field.starts_with("metadata."))),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(NodeKind::Map(entries)) = skill.field("metadata").map(|metadata| &metadata.value.kind) else { return };
    for Field { key, value } in entries {
        let what = match &value.kind {
            NodeKind::Scalar { kind: ScalarKind::Null, .. } => "empty",
            _ => match quote::not_a_string(value) {
                Some(what) => what,
                None => continue,
            },
        };
        let name = text::shortened(&key.value, 64);
        let finding = sink.report(value.place, format!("`metadata.{name}` is {what}, not a string"));
        match (value.scalar(), quote::plain(skill, value.place)) {
            // Unsafe: a reader that gets a number now gets a string afterwards.
            (Some(_), Some(quoted)) => finding.help(format!("quote it: `{quoted}`")).unsafe_edit(value.place, quoted),
            _ => finding.help("replace it with one string, or move it to a separate file next to SKILL.md"),
        };
    }
}
