//! Reports links that point outside the skill directory.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::Leaving;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "link-leaves-skill",
    group: Group::Body,
    since: E2026,
    level: Level::Off,
    summary: "a link points outside the skill directory",
    why: "a copy of the skill directory, as installers make it, lacks the linked file",
    explanation: include_str!("link_leaves_skill.md"),
    check: Check::Skill(check),
    reads: Reads::Repository,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let message = |link: &Leaving| format!("`{}` is outside the skill directory", text::shortened(&link.written, 80));
    for (_, links) in skill.links() {
        let occurrence = |link: &Leaving| Occurrence::new(link.place, message(link), link.written.as_bytes());
        if let Some(finding) = several::report(sink, links.leaving.iter().map(occurrence)) {
            finding.help("copy the file into the skill directory, or replace the link with plain text");
        }
    }
}
