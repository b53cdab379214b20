//! The rule about invalid settings. The configuration reader reports it.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule =
    Rule { why: "the value has no effect, so skills are checked with settings that you did not choose", ..OF_SETTINGS };

/// Its replacement if no rule can run.
pub(crate) static UNREADABLE: Rule =
    Rule { why: "skilltree checked nothing, because it could not read the settings", ..OF_SETTINGS };

/// Its replacement for a file that this run did not use.
pub static NOT_USED: Rule = Rule {
    why: "this run used the settings of another revision; a run with these settings would check nothing",
    ..OF_SETTINGS
};

const OF_SETTINGS: Rule = Rule {
    id: "invalid-configuration",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "a setting has an invalid value",
    explanation: include_str!("invalid_configuration.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    ..Rule::DEFAULT
};
