//! Something before the front matter.

use bstr::ByteSlice;

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "text-before-front-matter",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::TextBeforeFence],
    summary: "a blank line, a comment or text stands before the opening fence",
    why: "front matter begins at the first byte or it is none: Codex, Gemini CLI, Roo Code, opencode, pi, OpenClaw, Copilot CLI and CAMEL drop the skill, most of them without a word",
    explanation: include_str!("text_before_front_matter.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        match fault.what {
            What::TextBeforeFence { blank: true } => {
                let lines = skill.source(fault.place).lines().count();
                let which = if lines > 1 { "blank lines stand" } else { "a blank line stands" };
                sink.report(fault.place, format!("{which} before the opening `---`"))
                    .help("remove what stands before it, so that `---` is the first line")
                    .edit(fault.place, "")
            }
            What::TextBeforeFence { blank: false } => sink
                .report(fault.place, "text stands before the opening `---`")
                .help("move it below the closing `---`, so that the opening one is the first line"),
            _ => continue,
        };
    }
}
