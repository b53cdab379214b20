//! Reports Markdown links to files that do not exist.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::skill::links::{End, Link};
use crate::text;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "broken-link",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    faults: &[],
    summary: "a link points to a file that does not exist",
    why: "an agent that follows the link finds nothing, and continues without the instructions in that file",
    explanation: include_str!("broken_link.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let broken: Vec<&Link> = body.links.broken().collect();
    let Some(first) = broken.first() else { return };
    let written = text::shortened(&first.written, 80);
    let message = match first.end {
        End::Outside => format!("`{written}` is outside the repository"),
        _ => format!("`{written}` does not exist"),
    };
    let places = broken.iter().map(|link| link.place);
    let Some(finding) = several::report(sink, places, broken.len(), &message) else { return };
    let targets: Vec<_> = broken.iter().map(|link| probable_target(skill, facts, link)).collect();
    match &targets[0] {
        Some(path) => finding.help(format!("change it to `{path}`")),
        None => finding.help("add the file, or correct or remove the link"),
    };
    if targets.iter().all(Option::is_some) {
        for (link, path) in broken.iter().zip(targets.into_iter().flatten()) {
            finding.unsafe_edit(link.place, path);
        }
    }
}

/// Returns the only file of the skill with the name that a broken link has, as its probable target.
fn probable_target(skill: &Skill, facts: &Facts<'_>, link: &Link) -> Option<String> {
    let target = link.written.split(['#', '?']).next().unwrap_or_default();
    let name = text::file_name(target.into());
    let mut alike = facts.skill_files(skill).filter(|path| text::file_name(path) == name);
    let path = alike.next().filter(|_| alike.next().is_none() && !name.is_empty())?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
    (path.iter().all(is_plain)).then(|| path.to_string())
}
