//! A byte order mark before the front matter.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "byte-order-mark",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::ByteOrderMark],
    summary: "a file begins with a UTF-8 byte order mark",
    why: "Gemini CLI, OpenClaw, Copilot CLI and CAMEL see no front matter behind a byte order mark and drop the skill without a word; Codex and pi drop it and say so",
    explanation: include_str!("byte_order_mark.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::ByteOrderMark {
            sink.report(fault.place, "the file begins with a UTF-8 byte order mark")
                .help("remove the three bytes EF BB BF: save the file as UTF-8 without a byte order mark")
                .edit(fault.place, "");
        }
    }
}
