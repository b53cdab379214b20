//! A `when_to_use` that is not a single line.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Node, NodeKind};
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "when-to-use-not-one-line",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "`when_to_use` is not a single-line string",
    why: "prompts put `when_to_use` on one line, where a line break looks like a new entry",
    explanation: include_str!("when_to_use_not_one_line.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("when_to_use") else { return };
    let place = field.value.place;
    let lines = match &field.value.kind {
        NodeKind::List(items) => {
            let finding = sink.report(place, "`when_to_use` is a list, not a single-line string");
            finding.help("write one sentence that says when to use the skill");
            if let Some(sentence) = sentence(items) {
                finding.unsafe_edit(after_key(field.key.place, place), format!(": {}", quote::quoted(&sentence)));
            }
            return;
        }
        NodeKind::Map(_) => {
            sink.report(place, "`when_to_use` is a mapping, not a single-line string")
                .help("write one quoted sentence");
            return;
        }
        NodeKind::Scalar { text, .. } => text.trim(),
    };
    let count = lines.lines().count();
    if count > 1 {
        sink.report(place, format!("`when_to_use` has {} lines; the limit is 1", text::grouped(count)))
            .help("write one sentence, or fold the lines with `>-`")
            .unsafe_edit(after_key(field.key.place, place), format!(": {}", quote::quoted(&one_line(lines))));
    }
}

/// Returns the place from the end of the key to the end of the value, including the header of a block scalar.
fn after_key(key: Place, value: Place) -> Place {
    Place { file: key.file, start: key.end, end: value.end }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Joins the items of a list into one line, if all of them are strings.
fn sentence(items: &[Node]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(|item| item.text().map(one_line)).collect();
    items.filter(|items| !items.is_empty()).map(|items| items.join("; "))
}
