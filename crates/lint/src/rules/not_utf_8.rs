//! Reports files that are not UTF-8.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "not-utf-8",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NotUtf8],
    summary: "a SKILL.md is not UTF-8",
    why: "a loader rejects the file, stops its whole scan, or shows replacement characters in the prompt",
    explanation: include_str!("not_utf_8.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::NotUtf8 { utf16 } = fault.what else { continue };
        if let Some(order) = utf16 {
            sink.report(fault.place, format!("the file is UTF-16 ({order}), not UTF-8")).help("save the file as UTF-8");
        } else {
            let bytes: Vec<String> = skill.source(fault.place).iter().take(4).map(|b| format!("{b:02X}")).collect();
            let message = match bytes.as_slice() {
                [] => "a byte is not UTF-8".to_owned(),
                [byte] => format!("the byte {byte} is not UTF-8"),
                _ => format!("the bytes {} are not UTF-8", bytes.join(" ")),
            };
            // Only Windows-1252 has characters at these positions; they are its quotes and dashes.
            let is_windows = skill.source(fault.place).first().is_some_and(|byte| (0x80..0xa0).contains(byte));
            let encoding = if is_windows { "Windows-1252" } else { "Windows-1252 or Latin-1" };
            sink.report(fault.place, message)
                .help(format!("save the file as UTF-8; it was probably written in {encoding}"));
        }
    }
}
