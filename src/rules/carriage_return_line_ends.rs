//! Line ends of the classic Mac OS.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, LineEnd, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "carriage-return-line-ends",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::CarriageReturns],
    summary: "lines end in CR alone",
    why: "to most runtimes the file is one long line: Codex, Gemini CLI, Roo Code, opencode, Copilot CLI and Claude Code find no front matter in it",
    explanation: include_str!("carriage_return_line_ends.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::CarriageReturns {
            sink.report(fault.place, "lines end in CR alone, so most runtimes read the file as one line")
                .help("save the file with LF line ends")
                .line_end(LineEnd::Lf);
        }
    }
}
