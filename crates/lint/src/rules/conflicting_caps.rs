//! The rule about two caps on the same prompt block. The configuration reader reports it.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "conflicting-caps",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    summary: "WORKFLOW.md and skilltree.toml set different caps",
    why: "the cap in WORKFLOW.md takes precedence, so changing the one in skilltree.toml has no effect",
    explanation: include_str!("conflicting_caps.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
