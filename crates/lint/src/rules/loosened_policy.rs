//! The rule about settings that become looser. The comparison with a base reports it.

use crate::rule::{Check, E2026, Group, Level, Reads, Rule};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "loosened-policy",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    summary: "a change makes the check less strict",
    why: "a looser setting can hide findings of this change and of every later one",
    explanation: include_str!("loosened_policy.md"),
    check: Check::Reported,
    reads: Reads::Settings,
    always_shown: true,
    ..Rule::DEFAULT
};
