//! A symbolic link at the place of a skill or a root that leads nowhere.

use bstr::{BStr, ByteSlice};

use crate::catalog::Catalog;
use crate::rule::{self, Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::snapshot::{Body, Resolution};
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "broken-skill-link",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[],
    summary: "a linked skill or root leads nowhere in the repository",
    why: "the skill exists on the machine of whoever made the link, or nowhere; everybody else has a dead name",
    explanation: include_str!("broken_skill_link.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (subject, id, file) in rule::places(catalog) {
        let Body::Symlink { target, resolution } = &file.body else { continue };
        let Some(flaw) = flaw(resolution) else { continue };
        let path = text::lossless(file.path.as_bstr());
        sink.about(subject)
            .report(Place::whole(id), format!("`{path}` is a link to `{}`, {flaw}", shown(target.as_bstr())))
            .help("link to what is in this repository by a relative path, or put the skill itself there");
    }
}

/// What is wrong with where a link leads; nothing where it leads to something of the repository.
fn flaw(resolution: &Resolution) -> Option<&'static str> {
    match resolution {
        Resolution::File(_) | Resolution::Directory(_) => None,
        Resolution::Dangling => Some("which does not exist"),
        Resolution::Absolute => Some("an absolute path, which is another place on every machine"),
        Resolution::Outside => Some("which is outside the repository"),
        Resolution::Loop => Some("which leads back to the link"),
    }
}

/// The target as far as a message has room for it: the text of a link may be as long as any file.
fn shown(target: &BStr) -> String {
    text::shortened(&text::lossless(target), 200).into_owned()
}
