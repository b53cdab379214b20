//! Reports YAML that some parsers accept and others reject.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "disputed-yaml",
    group: Group::Fences,
    since: E2026,
    level: Level::Warning,
    faults: &[FaultKind::Disputed],
    summary: "some YAML parsers accept the front matter and others reject it",
    why: "whether the skill loads depends on the YAML library of the runtime",
    explanation: include_str!("disputed_yaml.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::Disputed(how) = fault.what {
            sink.report(fault.place, format!("not every YAML parser accepts this: {how}")).help(
                "use block style: one plain key per line, nested keys indented by two spaces, tabs only in quotes",
            );
        }
    }
}
