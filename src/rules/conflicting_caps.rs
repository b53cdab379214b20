//! Two caps of one prompt block.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "conflicting-caps",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "WORKFLOW.md and skilltree.toml name different caps",
    why: "a dispatcher obeys WORKFLOW.md: whoever reads the other number is wrong about which skills an agent hears of",
    explanation: include_str!("conflicting_caps.md"),
    check: Check::Reported,
};
