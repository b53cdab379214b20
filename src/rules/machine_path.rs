//! A link to a path that only its author has.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::skill::links::{End, Link};
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "machine-path",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a link leads to a path of one machine",
    why: "it works for whoever wrote it, and leads nowhere in every other clone and on every agent",
    explanation: include_str!("machine_path.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let found: Vec<&Link> = body.links.doubtful.iter().filter(|link| link.end == End::Machine).collect();
    let Some(first) = found.first() else { return };
    let message = format!("`{}` is a path of one machine", text::shortened(&first.written, 80));
    if let Some(finding) = several::report(sink, found.iter().map(|link| link.place), found.len(), &message) {
        finding.help("put the file beside the skill and link to it from there, as in `references/guide.md`");
    }
}
