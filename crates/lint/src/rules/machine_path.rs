//! Reports links to paths that exist only on the machine of the author.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::{End, Link};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "machine-path",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a link points to a path that exists on one machine only",
    why: "the link works for its author and is broken in every other clone",
    explanation: include_str!("machine_path.md"),
    check: Check::Skill(check),
    reads: Reads::Links,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let occurrence = |link: &Link| {
        let message = format!("`{}` is a path on one machine", text::shortened(&link.written, 80));
        Occurrence::new(link.place, message, link.written.as_bytes())
    };
    for (_, links) in skill.links() {
        let found = links.unresolved.iter().filter(|link| link.end == End::Machine);
        if let Some(finding) = several::report(sink, found.map(occurrence)) {
            finding.help("copy the file into the skill directory and link to it, as in `references/guide.md`");
        }
    }
}
