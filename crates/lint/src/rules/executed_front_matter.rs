//! Reports front matter that a runtime runs as code.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::FaultKind;
use skilltree_front_matter::text::Place;
use skilltree_skills::skill::{Language, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "executed-front-matter",
    group: Group::Security,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NoFence],
    summary: "the opening fence makes the front matter JavaScript",
    why: "a runtime that supports the tag runs the code at every start, when it lists the skills, without asking",
    explanation: include_str!("executed_front_matter.md"),
    check: Check::Skill(check),
    keeps_level: true,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    if let Some((Language::JavaScript, fence)) = skill.language() {
        sink.report(Place::new(skill.file, fence), "opencode and Kilo Code run this front matter as JavaScript")
            .help("make the first line exactly `---`, and write `name: …` and `description: …` as YAML");
    }
}
