//! Unknown keys in the configuration.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-setting",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "the configuration has an unknown setting",
    why: "an unknown setting is silently ignored, so the intended value does not apply",
    explanation: include_str!("unknown_setting.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
