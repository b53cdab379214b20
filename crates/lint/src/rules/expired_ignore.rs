//! The rule about ignores whose last day has passed. The lint driver reports it.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "expired-ignore",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    summary: "the last day of an ignore has passed",
    why: "an expired ignore has no effect: the findings that it covered count again",
    explanation: include_str!("expired_ignore.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
