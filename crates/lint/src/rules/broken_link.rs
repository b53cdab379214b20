//! Reports Markdown links to files that do not exist.

use bstr::{BStr, ByteSlice};

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::{self, End, Link, Links};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "broken-link",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a link points to a file that does not exist",
    why: "an agent that follows the link finds nothing, and continues without the instructions in that file",
    explanation: include_str!("broken_link.md"),
    check: Check::Skill(check),
    reads: Reads::Repository,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    for (file, found) in skill.links() {
        if !facts.path_in_skill(skill, file).is_some_and(is_test_data) {
            report(skill, found, facts, sink);
        }
    }
}

/// Directories in a skill with pages that no agent follows.
const TEST_DATA: [&str; 5] = ["evals", "fixtures", "test-data", "testdata", "tests"];

fn is_test_data(path: &BStr) -> bool {
    text::parent(path).split_str("/").any(|name| TEST_DATA.iter().any(|known| name == known.as_bytes()))
}

/// Reports the links of one file.
fn report(skill: &Skill, found: &Links, facts: &Facts<'_>, sink: &mut Sink) {
    let target_of = |number, link| if number < several::KNOWN { probable_target(skill, facts, link) } else { None };
    let broken: Vec<(&Link, Option<String>)> =
        found.broken().enumerate().map(|(number, link)| (link, target_of(number, link))).collect();
    let occurrences = broken.iter().map(|(link, target)| {
        let written = text::shortened(&link.written, 80);
        let message = match link.end {
            End::Outside => format!("`{written}` is outside the repository"),
            _ => format!("`{written}` does not exist"),
        };
        let help = match target {
            Some(path) => format!("change it to `{path}`"),
            None => "add the file, or correct or remove the link".to_owned(),
        };
        Occurrence::new(link.place, message, link.written.as_bytes()).with_help(help)
    });
    let Some(finding) = several::report(sink, occurrences) else { return };
    if broken.iter().all(|(_, target)| target.is_some()) {
        for (link, path) in &broken {
            finding.unsafe_edit(link.place, path.as_deref().unwrap_or_default());
        }
    }
}

/// Names that many directories have, so that they identify no file.
const COMMON: [&str; 8] =
    ["CHANGELOG.md", "LICENSE", "LICENSE.md", "LICENSE.txt", "README.md", "SKILL.md", "index.md", "package.json"];

/// Returns the file of the skill that a broken link probably intends, with the anchor of the link. It is the only one with
/// its name. From a link out of the skill it has the same directories too.
fn probable_target(skill: &Skill, facts: &Facts<'_>, link: &Link) -> Option<String> {
    let end = link.written.find(['#', '?']).unwrap_or(link.written.len());
    let (target, anchor) = link.written.split_at(end);
    let below = target.trim_start_matches("./").trim_start_matches("../");
    let (name, leaves) = (text::file_name(below.into()), target.contains("../"));
    let own = facts.path_in_skill(skill, link.place.file)?;
    let mut alike = facts.skill_files(skill).filter(|path| text::file_name(path) == name && *path != own);
    let path = alike.next().filter(|_| alike.next().is_none() && !name.is_empty())?;
    let has_directories =
        path.strip_suffix(below.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"));
    let is_common = COMMON.iter().any(|common| common.as_bytes().eq_ignore_ascii_case(name));
    let is_intended = if is_common { has_directories && below.contains('/') } else { has_directories || !leaves };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
    let path = links::relative(text::parent(own), path);
    (is_intended && path.bytes().all(|byte| is_plain(&byte))).then(|| format!("{path}{anchor}"))
}
