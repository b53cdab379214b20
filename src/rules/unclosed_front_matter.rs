//! Front matter without an end.

use crate::front_matter::{FaultKind, MeantFence, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unclosed-front-matter",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::Unclosed],
    summary: "front matter has no closing fence",
    why: "nothing tells the keys from the instructions: nearly every runtime drops the skill, Claude Code takes the whole file for text",
    explanation: include_str!("unclosed_front_matter.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::Unclosed { meant } = &fault.what else { continue };
        let finding = sink.report(fault.place, "the front matter has no closing `---`");
        match *meant {
            Some((place, fence)) => {
                let label = match fence {
                    MeantFence::Dots => "`...` ends a YAML document, but no front matter",
                    MeantFence::OtherDashes => "this is no closing fence, but was probably meant as one",
                };
                finding.related(place, label).help("make this line exactly `---`").unsafe_edit(place, "---");
            }
            None => {
                finding.help("put `---` on a line of its own behind the last key");
            }
        }
    }
}
