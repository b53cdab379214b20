//! A value of `metadata` that is no string.

use crate::front_matter::{Field, NodeKind, ScalarKind};
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "metadata-value-not-a-string",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    unusable: false,
    faults: &[],
    summary: "a value of `metadata` is not a string",
    why: "the open standard makes `metadata` a map from strings to strings: a reader that takes it at its word loses the other values or refuses the skill",
    explanation: include_str!("metadata_value_not_a_string.md"),
    check: Check::Skill(check),
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
            // Whoever reads a number there today reads a text afterwards.
            (Some(_), Some(quoted)) => {
                finding.help(format!("put it in quotes: `{quoted}`")).unsafe_edit(value.place, quoted)
            }
            _ => finding.help("write one string, or move it to a file of its own beside SKILL.md"),
        };
    }
}
