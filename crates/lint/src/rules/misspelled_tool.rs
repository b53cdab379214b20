//! Reports names of tools that are probably misspelled.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Field, Node, NodeKind};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys::meant_tool;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misspelled-tool",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a tool name looks misspelled",
    why: "a runtime silently ignores a name that it does not know, so the tool is neither allowed nor denied",
    explanation: include_str!("misspelled_tool.md"),
    check: Check::Text(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let has_tools = |profile: &&Profile| !profile.loads.keys.tools.is_empty();
    let Some(profile) = facts.scope.of(skill.root).find(has_tools) else { return };
    let known = &profile.loads.keys.tools;
    for field in facts.text.tool_fields().iter().filter_map(|key| skill.field(key)) {
        report_dashes(skill, field, known, sink);
        for (name, place) in names(skill, &field.value) {
            let is_word = name.bytes().all(|byte| byte.is_ascii_alphabetic());
            if !is_word || known.iter().any(|tool| tool == name) {
                continue;
            }
            let Some(meant) = meant_tool(name, known) else { continue };
            let shown = text::shortened(name, 64);
            let message = format!("`{shown}` looks like a misspelling of the tool `{meant}` of {}", profile.actor());
            let finding = sink.report(place, message);
            // Unsafe, because it allows or denies a tool.
            finding.help(format!("rename it to `{meant}`")).unsafe_edit(place, meant);
        }
    }
}

/// Reports tools with a dash in front that makes them no items of a list. The edits are unsafe, because they allow or deny tools.
fn report_dashes(skill: &Skill, field: &Field, known: &[String], sink: &mut Sink) {
    let names = names(skill, &field.value);
    let tool = |name: &'_ str| known.iter().find(|tool| name.strip_prefix('-') == Some(tool));
    let dashed: Vec<(&String, Place)> = names.iter().filter_map(|(name, place)| Some((tool(name)?, *place))).collect();
    let Some(&(tool, place)) = dashed.first() else { return };
    let above = skill.header.get(field.key.place.range().end..place.range().start);
    let (message, help, dash) = match above.is_some_and(|above| above.contains(&b'\n')) {
        true => (format!("missing space after the dash of `-{tool}`"), format!("write `- {tool}`"), "- "),
        false => (format!("a dash precedes the tool `{tool}`"), format!("write `{tool}`"), ""),
    };
    let finding = sink.report(place, message).help(help);
    // The items of one list are correct together or not at all.
    for (_, place) in dashed {
        let start = place.range().start;
        finding.unsafe_edit(Place::new(skill.file, start..start + 1), dash);
    }
}

/// Returns the names before parentheses, with their places: of a list, or of a text with spaces or commas.
pub(super) fn names<'a>(skill: &'a Skill, node: &'a Node) -> Vec<(&'a str, Place)> {
    match &node.kind {
        NodeKind::List(items) => items.iter().flat_map(|item| words(skill, item)).collect(),
        _ => words(skill, node),
    }
}

fn words<'a>(skill: &'a Skill, node: &Node) -> Vec<(&'a str, Place)> {
    let (Some(_), Ok(source)) = (node.scalar(), skill.source(node.place).to_str()) else { return Vec::new() };
    let start = node.place.range().start;
    let (mut found, mut depth, mut from) = (Vec::new(), 0_u32, None);
    for (at, character) in source.char_indices().chain([(source.len(), ' ')]) {
        let is_part = depth == 0 && (character.is_ascii_alphanumeric() || "_-:*./".contains(character));
        match (is_part, from) {
            (true, None) => from = Some(at),
            (false, Some(first)) => {
                found.push((&source[first..at], Place::new(skill.file, start + first..start + at)));
                from = None;
            }
            _ => {}
        }
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}
