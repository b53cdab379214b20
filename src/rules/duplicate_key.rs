//! A key that appears twice.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "duplicate-key",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::DuplicateKey],
    summary: "a key appears twice in one map",
    why: "Codex, Roo Code, opencode, goose, Copilot CLI and pi drop the skill, Claude Code loads it without metadata, and of the rest some read the first value and some the last",
    explanation: include_str!("duplicate_key.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::DuplicateKey { key, first } = &fault.what {
            sink.report(fault.place, format!("the key `{}` appears twice", text::shortened(key, 64)))
                .related(*first, "the first one")
                .help("keep one of the two");
        }
    }
}
