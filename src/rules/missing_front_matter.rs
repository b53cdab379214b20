//! A SKILL.md without an opening fence.

use crate::front_matter::{FaultKind, Instead, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "missing-front-matter",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NoFence],
    summary: "a SKILL.md does not begin with front matter",
    why: "a file without front matter has no name and no description: Codex, Gemini CLI, Roo Code, opencode, pi, OpenClaw, Copilot CLI and CAMEL drop it, most of them without a word",
    explanation: include_str!("missing_front_matter.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::NoFence(instead) = fault.what else { continue };
        let (message, help) = match instead {
            Instead::Nothing => (
                "the file is empty",
                "begin it with `---`, `name: …`, `description: …` and `---`, and write the instructions below",
            ),
            Instead::BareKeys => (
                "the front matter has no fences",
                "put `---` on a line of its own before the first key and behind the last one",
            ),
            Instead::FormattedHeading => (
                "the front matter was made a heading, probably by a Markdown formatter that does not know it",
                "restore the lines `---`, `name: …`, `description: …`, `---`, and keep the formatter from SKILL.md",
            ),
            Instead::Text => (
                "the file does not begin with `---`",
                "begin it with `---`, `name: …`, `description: …` and `---`, before any other line",
            ),
        };
        sink.report(fault.place, message).help(help);
    }
}
