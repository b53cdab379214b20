//! A value of the configuration that means nothing.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "invalid-configuration",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a setting has a value that means nothing",
    why: "the setting keeps its default, so the skills are judged by something that nobody chose",
    explanation: include_str!("invalid_configuration.md"),
    check: Check::Reported,
};
