//! The rule about invalid settings. The configuration reader reports it.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "invalid-configuration",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "a setting has an invalid value",
    why: "the setting keeps its default, so skills are checked with a value that you did not choose",
    explanation: include_str!("invalid_configuration.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
