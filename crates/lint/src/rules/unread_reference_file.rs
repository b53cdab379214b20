//! Reports reference files and scripts that were not read: a file without findings must not look checked.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::{Links, Skill, UnreadReason};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unread-reference-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a reference file or a script was not checked",
    why: "skilltree could not read the file completely, so the absence of findings in it means nothing",
    explanation: include_str!("unread_reference_file.md"),
    check: Check::Skill(check),
    limits: &["reference-file-bytes", "reference-files"],
    reads: Reads::Directory,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    for place in skill.links().filter_map(|(_, links)| links.unchecked) {
        let most = text::grouped(Links::KEPT);
        sink.report(place, format!("links from here on were not checked: {most} before them had to be looked up"))
            .help("split the file");
    }
    for unread in &skill.references.unread {
        let limit = |limit: Option<u64>| limit.map(text::grouped).unwrap_or_default();
        let (message, help) = match unread.reason {
            UnreadReason::TooLarge(bytes) => (
                format!(
                    "the file has {} bytes; the limit is {}",
                    text::grouped(bytes),
                    limit(facts.limits.reference_file_bytes)
                ),
                "split the file, or raise `limits.reference-file-bytes` in skilltree.toml",
            ),
            UnreadReason::TooMany(count) => (
                format!(
                    "{} Markdown files of the skill are over the limit of {}, this one first",
                    text::grouped(count),
                    limit(facts.limits.reference_files)
                ),
                "raise `limits.reference-files` in skilltree.toml",
            ),
            UnreadReason::NotUtf8 => ("the file is not UTF-8 from here on".to_owned(), "save the file as UTF-8"),
            UnreadReason::Unmerged => (
                "the file has conflict stages in the index and no merged version".to_owned(),
                "resolve the conflict, then run `git add` on the file",
            ),
            UnreadReason::LfsPointer => (
                "the file is a Git LFS pointer, so its text is not in the repository".to_owned(),
                "remove the file from Git LFS, and commit its text",
            ),
            UnreadReason::Link => (
                "the symbolic link leads to a file that is not part of a skill".to_owned(),
                "replace the link with a copy of the file",
            ),
            UnreadReason::DanglingLink => (
                "the symbolic link leads to no file of the repository".to_owned(),
                "correct the target of the link, or replace the link with a file",
            ),
        };
        let finding = sink.report(unread.place, message).help(help);
        if unread.reason == UnreadReason::Link {
            // The file exists, and a runtime that follows the link reads it.
            finding.at_most(Level::Warning);
        }
    }
}
