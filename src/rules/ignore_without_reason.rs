//! An ignore that does not say why.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "ignore-without-reason",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "an ignore gives no reason",
    why: "nobody can tell later whether it still holds, so it leaves nothing out",
    explanation: include_str!("ignore_without_reason.md"),
    check: Check::Reported,
};
