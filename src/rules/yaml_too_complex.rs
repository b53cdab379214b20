//! Front matter over the limits of parsing.

use crate::front_matter::{FaultKind, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "yaml-too-complex",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[FaultKind::TooComplex],
    summary: "the front matter is too large, too deep or has too many values",
    why: "a front matter of that size is no description of a skill but a load on its reader; nothing beyond the limit is read",
    explanation: include_str!("yaml_too_complex.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::TooComplex(what) = fault.what {
            sink.report(fault.place, format!("the front matter {what}; nothing of it was read"))
                .help("keep the keys that runtimes read, and move data to a file beside SKILL.md");
        }
    }
}
