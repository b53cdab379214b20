//! Tools separated by commas.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "allowed-tools-with-commas",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    unusable: false,
    faults: &[],
    summary: "allowed-tools separates tools with commas",
    why: "the open standard separates them with spaces: a reader that does so sees a tool called `Read,`",
    explanation: include_str!("allowed_tools_with_commas.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(tools) = skill.text("allowed-tools") else { return };
    let Some(spaced) = spaced(tools.value) else { return };
    let finding = sink.report(tools.place, "`allowed-tools` separates tools with commas, not with spaces");
    finding.help(format!("write `allowed-tools: {}`", text::shortened(&spaced, 80)));
    // Whether every reader takes both is not known. Only what stands in the file as it is read can be replaced.
    if let Some(at) = skill.source(tools.place).find(tools.value) {
        let start = tools.place.range().start + at;
        finding.unsafe_edit(Place::new(skill.file, start..start + tools.value.len()), spaced);
    }
}

/// The tools with spaces between them; `None` where no comma separates any, or a tool has a space in it outside of its
/// parentheses, so that spaces could not separate it.
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
