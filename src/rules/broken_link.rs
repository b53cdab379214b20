//! A link to nothing.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::skill::links::{End, Link};
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "broken-link",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a link leads to a file that is not in the tree",
    why: "an agent that follows the link finds nothing, and goes on without what the skill wanted it to read",
    explanation: include_str!("broken_link.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let broken: Vec<&Link> = body.links.broken().collect();
    let Some(first) = broken.first() else { return };
    let written = text::shortened(&first.written, 80);
    let message = match first.end {
        End::Outside => format!("`{written}` leads out of the repository"),
        _ => format!("`{written}` is not in the tree"),
    };
    let places = broken.iter().map(|link| link.place);
    let Some(finding) = several::report(sink, places, broken.len(), &message) else { return };
    let meant: Vec<_> = broken.iter().map(|link| meant(skill, facts, link)).collect();
    match &meant[0] {
        Some(path) => finding.help(format!("was `{path}` meant?")),
        None => finding.help("add the file, correct the link, or take it out"),
    };
    if meant.iter().all(Option::is_some) {
        for (link, path) in broken.iter().zip(meant.into_iter().flatten()) {
            finding.unsafe_edit(link.place, path);
        }
    }
}

/// The file of the skill that a broken link probably means: the only one of that name.
fn meant(skill: &Skill, facts: &Facts<'_>, link: &Link) -> Option<String> {
    let target = link.written.split(['#', '?']).next().unwrap_or_default();
    let name = text::file_name(target.into());
    let mut alike = facts.beside(skill).filter(|path| text::file_name(path) == name);
    let path = alike.next().filter(|_| alike.next().is_none() && !name.is_empty())?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
    (path.iter().all(is_plain)).then(|| path.to_string())
}
