//! A root that somebody asked for, without a skill.

use std::collections::BTreeSet;

use crate::catalog::Catalog;
use crate::roots::RootId;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::snapshot::{Body, Resolution, Role};
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "no-skills-found",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a configured root holds no skill",
    why: "a root that is misspelled or was moved leaves every agent without its skills, and the check green",
    explanation: include_str!("no_skills_found.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    // Whatever stands at a skill's place and is none is said by a rule of its own.
    let filled: BTreeSet<RootId> = catalog.parsed.skills.iter().map(|skill| skill.root).collect();
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Root) {
        let Some(number) = file.root else { continue };
        let root = catalog.root(number);
        let is_root_itself = file.path == root.path;
        if !root.configured || !is_root_itself || filled.contains(&number) {
            continue;
        }
        let path = text::lossless(root.path.as_ref());
        let (message, help) = match &file.body {
            Body::Absent if root.matched => {
                (format!("no directory matches the root `{path}`"), "correct the pattern, or remove it".to_owned())
            }
            Body::Absent => (
                format!("the root `{path}` does not exist"),
                format!("correct its path, or add a skill: `{path}/<name>/SKILL.md`"),
            ),
            Body::Directory | Body::Symlink { resolution: Resolution::Directory(_), .. } => (
                format!("the root `{path}` holds no skill"),
                format!("add one: `{path}/<name>/SKILL.md`; a Markdown file right in a root is no skill"),
            ),
            // Something else stands in the way, and its own rule says so.
            _ => continue,
        };
        sink.about(Subject::Root(number)).report(Place::whole(id), message).help(help);
    }
}
