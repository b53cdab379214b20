//! Rule ids in the configuration or in a comment that do not exist.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-rule",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "the configuration or a comment names a rule that does not exist",
    why: "a severity or an ignore for a misspelled rule has no effect, and the intended rule keeps its setting",
    explanation: include_str!("unknown_rule.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
