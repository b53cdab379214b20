//! Reports `allowed-tools` values that separate tools with commas.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "allowed-tools-with-commas",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    summary: "`allowed-tools` separates tools with commas",
    why: "the Agent Skills specification separates tools with spaces; a strict parser sees a tool called `Read,`",
    explanation: include_str!("allowed_tools_with_commas.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(tools) = skill.text("allowed-tools") else { return };
    let Some(spaced) = spaced(tools.value) else { return };
    let finding = sink.report(tools.place, "`allowed-tools` separates tools with commas instead of spaces");
    finding.help(format!("write `allowed-tools: {}`", text::shortened(&spaced, 80)));
    // Unsafe, because a runtime may accept only commas. An escaped value cannot be replaced in place.
    if let Some(at) = skill.source(tools.place).find(tools.value) {
        let start = tools.place.range().start + at;
        finding.unsafe_edit(Place::new(skill.file, start..start + tools.value.len()), spaced);
    }
}

/// Returns the tools separated by spaces. `None` if no comma separates them, or if a tool contains a space outside
/// parentheses.
fn spaced(tools: &str) -> Option<String> {
    let mut depth = 0u32;
    let mut parts = vec![String::new()];
    for character in tools.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(_) if character == ',' && depth == 0 => parts.push(String::new()),
            Some(part) => part.push(character),
            None => {}
        }
    }
    let names: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    let has_space = |name: &str| name.split('(').next().is_some_and(|bare| bare.contains(char::is_whitespace));
    (parts.len() > 1 && !names.iter().any(|name| has_space(name))).then(|| names.join(" "))
}
