//! An id in the configuration or in a comment that names no rule.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unknown-rule",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "the configuration or a comment names a rule that does not exist",
    why: "a level or an ignore for a misspelled rule does nothing, and the rule that was meant stays as it is",
    explanation: include_str!("unknown_rule.md"),
    check: Check::Reported,
};
