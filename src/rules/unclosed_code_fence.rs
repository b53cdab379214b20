//! A code fence that runs to the end of the file.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unclosed-code-fence",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[],
    summary: "a code fence is never closed",
    why: "everything behind it is shown as code, and links and headings there are none",
    explanation: include_str!("unclosed_code_fence.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(fence) = skill.body.as_ref().and_then(|body| body.open_fence) else { return };
    sink.report(fence, "nothing closes this code fence before the end of the file")
        .help("close it with a line of the same marks; around an example that has fences itself use one mark more");
}
