//! An ignore that leaves nothing out.

use crate::rule::{Check, E2026, Group, Level, Rule};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unused-ignore",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "an ignore leaves nothing out",
    why: "it will leave out the next thing that goes wrong there, and nobody will see that it did",
    explanation: include_str!("unused_ignore.md"),
    check: Check::Reported,
};
