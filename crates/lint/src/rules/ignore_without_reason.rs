//! The rule about ignores without a reason. The lint driver reports it.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ignore-without-reason",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    summary: "an ignore gives no reason",
    why: "without a reason it is unclear whether the ignore still applies, so it has no effect",
    explanation: include_str!("ignore_without_reason.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
