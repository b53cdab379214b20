//! A key of the configuration that nobody knows.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unknown-setting",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "the configuration has a key that is no setting",
    why: "a misspelled setting does nothing, and nothing says so: the limit that somebody set is not in force",
    explanation: include_str!("unknown_setting.md"),
    check: Check::Reported,
};
