//! Ignores that match no finding.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unused-ignore",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    summary: "an ignore matches no finding",
    why: "an unused ignore can hide the next problem in the same place",
    explanation: include_str!("unused_ignore.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
