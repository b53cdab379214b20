//! Reports symbolic links to skills or skills directories that do not resolve inside the repository.

use bstr::{BStr, ByteSlice};

use crate::rule::{self, Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::snapshot::{Body, Resolution};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "broken-skill-link",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    summary: "a symbolic link to a skill or skills directory does not resolve in the repository",
    why: "the skill exists on one machine at most; every other clone has a dangling link",
    explanation: include_str!("broken_skill_link.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| matches!(reason, Reason::Link | Reason::BrokenLink)),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (subject, id, file) in rule::places(catalog) {
        let Body::Symlink { target, resolution } = &file.body else { continue };
        let Some(flaw) = flaw(resolution) else { continue };
        let path = text::lossless(file.path.as_bstr());
        let help = match resolution {
            Resolution::Ignored => {
                "change the ignore pattern, which `git check-ignore --verbose` shows, or replace the link with the skill"
            }
            Resolution::Text => "commit a symbolic link in its place (`git config core.symlinks true`), or the skill",
            Resolution::Above => "remove the link, or link to the directory of a skill",
            _ => "link to a relative path in this repository, or replace the link with the skill",
        };
        sink.about(subject)
            .report(Place::whole(id), format!("`{path}` is a link to `{}`, {flaw}", shown(target.as_bstr())))
            .help(help);
    }
}

/// Returns why a link is broken, or `None` if it resolves inside the repository.
fn flaw(resolution: &Resolution) -> Option<&'static str> {
    match resolution {
        Resolution::File(_) | Resolution::Directory(_) => None,
        Resolution::Dangling => Some("which does not exist"),
        Resolution::Absolute => Some("an absolute path, which differs on every machine"),
        Resolution::Outside => Some("which is outside the repository"),
        Resolution::Ignored => Some("whose skills Git ignores"),
        Resolution::Above => Some("a directory above it without a SKILL.md"),
        Resolution::Text => Some("which was committed as a text file"),
        Resolution::Loop => Some("which points back to the link"),
        Resolution::TooManyLinks => Some("which more than 40 links lead to; systems follow at most 40"),
    }
}

/// Returns the target, truncated to 200 characters: it may be as long as any file.
fn shown(target: &BStr) -> String {
    text::shortened(&text::lossless(target), 200).into_owned()
}
