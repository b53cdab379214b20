//! Front matter over the parser limits.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "yaml-too-complex",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    keeps_level: true,
    faults: &[FaultKind::TooComplex],
    summary: "the front matter is too large, too deep or has too many values",
    why: "front matter of this size can exhaust a parser, so skilltree stops at the limit",
    explanation: include_str!("yaml_too_complex.md"),
    check: Check::Skill(check),
    limits: &["front-matter-bytes", "front-matter-nodes", "front-matter-depth"],
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::TooComplex(what) = fault.what {
            sink.report(fault.place, format!("the front matter {what}; skilltree did not read it"))
                .help("keep the keys that runtimes read, and move data to a file next to SKILL.md");
        }
    }
}
