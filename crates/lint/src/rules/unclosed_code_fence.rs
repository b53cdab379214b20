//! A code fence that runs to the end of the file.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unclosed-code-fence",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a code fence is never closed",
    why: "the rest of the file becomes code, so its headings and links have no effect",
    explanation: include_str!("unclosed_code_fence.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(fence) = skill.body.as_ref().and_then(|body| body.open_fence) else { return };
    sink.report(fence, "this code fence is not closed before the end of the file")
        .help("close it with the same marker, or use a longer fence around an example that contains fences");
}
