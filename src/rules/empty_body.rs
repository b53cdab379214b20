//! A skill without instructions.

use bstr::ByteSlice;

use crate::front_matter::What;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::Place;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "empty-body",
    group: Group::Body,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "nothing stands behind the front matter",
    why: "an agent that opens the skill reads nothing it could follow; SwarmAssistant drops such a skill, and the others spend a line of the prompt on it",
    explanation: include_str!("empty_body.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let (Some(body), Some(_)) = (&skill.body, &skill.front_matter) else { return };
    // Without a closing fence nothing can tell the body from the front matter, and another rule says so.
    let is_open = skill.faults.iter().any(|fault| matches!(fault.what, What::Unclosed { .. }));
    if body.blank && !is_open {
        sink.report(closing_fence(skill), "the skill has no body: nothing stands behind the front matter")
            .help("write what the agent is to do, as Markdown below the closing `---`");
    }
}

/// The last line of the header.
fn closing_fence(skill: &Skill) -> Place {
    let header = skill.header.trim_end_with(|character| matches!(character, '\r' | '\n'));
    let start = header.rfind_byteset(b"\r\n").map_or(0, |line_end| line_end + 1);
    Place::new(skill.file, start..header.len())
}
