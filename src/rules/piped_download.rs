//! A download that is run without a look at it.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::{Download, Skill};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "piped-download",
    group: Group::Security,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a command runs what it downloads",
    why: "an agent that follows it runs whatever the address answers on that day, which nobody has reviewed",
    explanation: include_str!("piped_download.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(downloads) = skill.body.as_ref().map(|body| &body.downloads) else { return };
    let Some(first) = downloads.first.first() else { return };
    let Download { from, into } = first.value;
    let does = if from == "base64" { "decodes" } else { "downloads" };
    let message = format!("`{into}` runs what `{from}` {does}, unseen");
    let places = downloads.first.iter().map(|download| download.place);
    if let Some(finding) = several::report(sink, places, downloads.count as usize, &message) {
        finding.help("name a package and its version, or download to a file, check its hash, and run that");
    }
}
