//! A link to something beside the skill.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "link-leaves-skill",
    group: Group::Body,
    since: E2026,
    level: Level::Off,
    unusable: false,
    faults: &[],
    summary: "a link leads out of the directory of the skill",
    why: "who copies the skill by itself, as installers do, leaves behind what it links to",
    explanation: include_str!("link_leaves_skill.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(leaving) = skill.body.as_ref().map(|body| &body.links.leaving) else { return };
    let Some(first) = leaving.first.first() else { return };
    let message = format!("`{}` lies outside of the skill's directory", text::shortened(&first.value, 80));
    let places = leaving.first.iter().map(|link| link.place);
    if let Some(finding) = several::report(sink, places, leaving.count as usize, &message) {
        finding.help("copy the file into the skill's directory, or name it in words");
    }
}
