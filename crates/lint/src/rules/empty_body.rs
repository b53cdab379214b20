//! Reports skills without instructions.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::What;
use skilltree_front_matter::text::Place;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "empty-body",
    group: Group::Body,
    since: E2026,
    level: Level::Error,
    summary: "a skill has no body",
    why: "an agent that opens the skill finds no instructions to follow",
    explanation: include_str!("empty_body.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::EmptyBody)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let (Some(body), Some(_)) = (&skill.body, &skill.front_matter) else { return };
    // Without a closing fence the body has no start, and another rule reports that.
    let is_open = skill.faults.iter().any(|fault| matches!(fault.what, What::Unclosed { .. }));
    if body.blank && !is_open {
        sink.report(closing_fence(skill), "the skill has no body after the front matter")
            .help("write instructions for the agent as Markdown after the closing `---`");
    }
}

/// Returns the place of the last line of the header.
fn closing_fence(skill: &Skill) -> Place {
    let header = skill.header.trim_end_with(|character| matches!(character, '\r' | '\n'));
    let start = header.rfind_byteset(b"\r\n").map_or(0, |line_ending| line_ending + 1);
    Place::new(skill.file, start..header.len())
}
