//! An ignore whose last day has passed.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "expired-ignore",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "the last day of an ignore has passed",
    why: "an ignore with a last day was a promise to look again, and what it left out counts from now on",
    explanation: include_str!("expired_ignore.md"),
    check: Check::Reported,
};
