//! Reports links to sections that do not exist.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::SectionLink;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "broken-anchor",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a link points to a section that does not exist",
    why: "the link opens the file at its start, and an agent that searches for the section finds nothing",
    explanation: include_str!("broken_anchor.md"),
    check: Check::Skill(check),
    reads: Reads::Repository,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for (_, links) in skill.links() {
        several::report(sink, links.sections.iter().map(occurrence));
    }
}

fn occurrence(link: &SectionLink) -> Occurrence {
    let written = text::shortened(&link.written, 80);
    let holder = if link.paths.is_empty() { "this file" } else { "the file" };
    let help = match &link.nearest {
        Some(nearest) => format!("change the anchor to `#{}`", text::shortened(nearest, 80)),
        None => "add the heading, or correct or remove the anchor".to_owned(),
    };
    let message = format!("`{written}` does not exist: {holder} has no such heading");
    Occurrence::new(link.place, message, link.written.as_bytes()).with_help(help)
}
