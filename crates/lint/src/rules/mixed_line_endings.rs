//! Reports files that mix LF and CRLF line endings.

use crate::rule::{Check, E2026, Facts, Group, Level, LineEnding, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "mixed-line-endings",
    group: Group::Fences,
    since: E2026,
    level: Level::Note,
    faults: &[FaultKind::MixedLineEndings],
    summary: "some lines end in LF and some in CRLF",
    why: "exact edits, diffs and signatures of the file break, and a `text` attribute rewrites it at the next commit",
    explanation: include_str!("mixed_line_endings.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::MixedLineEndings { lf, crlf } = fault.what {
            sink.report(fault.place, format!("{lf} lines end in LF and {crlf} in CRLF"))
                .help("save the file with one kind of line ending, preferably LF")
                .line_ending(if crlf > lf { LineEnding::CrLf } else { LineEnding::Lf });
        }
    }
}
