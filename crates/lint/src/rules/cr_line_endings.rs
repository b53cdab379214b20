//! Reports line endings of the classic Mac OS.

use crate::rule::{Check, E2026, Facts, Group, Level, LineEnding, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "cr-line-endings",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::CarriageReturns],
    summary: "lines end in CR instead of LF",
    why: "a parser that looks for LF reads the file as one line, and finds no front matter in it",
    explanation: include_str!("cr_line_endings.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::CarriageReturns {
            sink.report(fault.place, "lines end in CR instead of LF, so the file reads as one line")
                .help("save the file with LF line endings")
                .line_ending(LineEnding::Lf);
        }
    }
}
