//! Two kinds of line ends in one file.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, LineEnd, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "mixed-line-ends",
    group: Group::Fences,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[FaultKind::MixedLineEnds],
    summary: "some lines end in LF and some in CRLF",
    why: "every runtime reads such a file, but diffs, signatures and exact edits of it break, and a `text` attribute rewrites it at the next commit",
    explanation: include_str!("mixed_line_ends.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::MixedLineEnds { lf, crlf } = fault.what {
            sink.report(fault.place, format!("{lf} lines end in LF and {crlf} in CRLF"))
                .help("save the file with one kind of line end, best LF")
                .line_end(if crlf > lf { LineEnd::CrLf } else { LineEnd::Lf });
        }
    }
}
