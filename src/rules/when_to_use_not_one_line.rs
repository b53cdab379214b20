//! A `when_to_use` that does not fit a line.

use crate::front_matter::{Node, NodeKind};
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::Place;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "when-to-use-not-one-line",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "when_to_use is a list or has several lines",
    why: "Symphony writes `name — when_to_use` as one line of its prompt block, and Claude Code expects one string to put behind the description",
    explanation: include_str!("when_to_use_not_one_line.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field("when_to_use") else { return };
    let place = field.value.place;
    let lines = match &field.value.kind {
        NodeKind::List(items) => {
            let finding = sink.report(place, "when_to_use is a list, not one line of text");
            finding.help("write one sentence that names the occasions");
            if let Some(sentence) = sentence(items) {
                finding.unsafe_edit(behind_key(field.key.place, place), format!(": {}", quote::quoted(&sentence)));
            }
            return;
        }
        NodeKind::Map(_) => {
            sink.report(place, "when_to_use is a map, not one line of text").help("write one sentence, in quotes");
            return;
        }
        NodeKind::Scalar { text, .. } => text.trim(),
    };
    let count = lines.lines().count();
    if count > 1 {
        sink.report(place, format!("when_to_use has {count} lines; one is allowed"))
            .help("write one sentence, or fold the lines with `>-`")
            .unsafe_edit(behind_key(field.key.place, place), format!(": {}", quote::quoted(&one_line(lines))));
    }
}

/// From the end of the key to the end of the value: the header of a block scalar lies in between.
fn behind_key(key: Place, value: Place) -> Place {
    Place { file: key.file, start: key.end, end: value.end }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The items of a list in one line, if all of them are text.
fn sentence(items: &[Node]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(|item| item.text().map(one_line)).collect();
    items.filter(|items| !items.is_empty()).map(|items| items.join("; "))
}
