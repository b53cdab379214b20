//! Reports byte order marks before the front matter.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "byte-order-mark",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::ByteOrderMark],
    summary: "a file begins with a UTF-8 byte order mark (BOM)",
    why: "the opening fence is no longer at the start of the file, so a strict parser finds no front matter",
    explanation: include_str!("byte_order_mark.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if fault.what == What::ByteOrderMark {
            sink.report(fault.place, "the file begins with a UTF-8 byte order mark (BOM)")
                .help("save the file as UTF-8 without a BOM (the bytes EF BB BF)")
                .edit(fault.place, "");
        }
    }
}
