//! Reports commands that run a download without a check.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink};
use skilltree_skills::skill::{Download, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "piped-download",
    group: Group::Security,
    since: E2026,
    level: Level::Warning,
    summary: "a command runs a download without checking it",
    why: "the agent runs unreviewed code, which the owner of the address can change at any time",
    explanation: include_str!("piped_download.md"),
    check: Check::Skill(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(downloads) = skill.body.as_ref().map(|body| &body.downloads) else { return };
    let message = |Download { from, into }| format!("`{into}` runs unchecked output of `{from}`");
    if let Some(finding) = several::report(sink, several::of_marks(downloads, |&download| message(download))) {
        finding.help("install a package with a pinned version, or download to a file, check its hash, and run that");
    }
}
