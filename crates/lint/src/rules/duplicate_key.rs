//! Reports keys that appear twice in one mapping.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "duplicate-key",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::DuplicateKey],
    summary: "a key appears twice in one mapping",
    why: "YAML forbids duplicate keys; parsers reject the front matter, or disagree on which value counts",
    explanation: include_str!("duplicate_key.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::DuplicateKey { key, first } = &fault.what {
            sink.report(fault.place, format!("the key `{}` appears twice", text::shortened(key, 64)))
                .related(*first, "first used here")
                .help("remove one of the two");
        }
    }
}
