//! A skill or a root that is a symbolic link inside the repository.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::catalog::Catalog;
use crate::roots;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::skill::SkillId;
use crate::snapshot::{Body, Mode, Resolution, Role};
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "linked-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[],
    summary: "a skill or a root is a symbolic link",
    why: "runtimes disagree about links: Codex and OpenClaw do not follow a linked SKILL.md, and Windows may write a file",
    explanation: include_str!("linked_skill.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    linked_directories(catalog, sink);
    for (id, skill) in catalog.skills() {
        let file = catalog.file(skill.file);
        if let (Mode::Link, Some(real)) = (file.mode, &file.through) {
            let (path, real) = (text::lossless(file.path.as_bstr()), text::lossless(real.as_bstr()));
            sink.about(Subject::Skill(id))
                .report(Place::whole(skill.file), format!("`{path}` is a link to `{real}`, and is judged as that file"))
                .help("link the skill's directory instead");
        }
    }
}

/// The links to directories that a source names: those of a root's path, and those right in a root.
fn linked_directories(catalog: &Catalog, sink: &mut Sink) {
    let links = catalog.files().filter_map(|(id, file)| match &file.body {
        Body::Symlink { resolution: Resolution::Directory(target), .. } => Some((id, file, target.as_bstr())),
        _ => None,
    });
    let links: Vec<_> = links.collect();
    if links.is_empty() {
        return;
    }
    let skills = Skills::new(catalog);
    for (id, file, target) in links {
        let path = text::lossless(file.path.as_bstr());
        let real = text::lossless(target);
        match (file.role, file.root) {
            (Role::Root, Some(root)) => {
                let what = if catalog.root(root).path == file.path { "the root " } else { "" };
                sink.about(Subject::Root(root)).report(
                    Place::whole(id),
                    format!("{what}`{path}` is a link to `{real}`, and its skills are judged there"),
                );
            }
            (Role::Beside, _) => {
                if let Some(skill) = skills.below(file.path.as_bstr()) {
                    let message = format!("`{path}` is a link to `{real}`, and the skill is judged there");
                    sink.about(Subject::Skill(skill)).report(Place::whole(id), message);
                } else if let Some(skill) = skills.at(target) {
                    let message = format!("`{path}` is a second name of the skill in `{real}`, which is judged once");
                    sink.about(Subject::Skill(skill)).report(Place::whole(id), message);
                }
            }
            _ => {}
        }
    }
}

/// The skills by where they are.
struct Skills<'a> {
    by_path: BTreeMap<&'a BStr, SkillId>,
    by_real_directory: BTreeMap<&'a BStr, SkillId>,
}

impl<'a> Skills<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let file = |skill: SkillId| catalog.file(catalog.skill(skill).file);
        let listed = || catalog.listed.iter().copied();
        Self {
            by_path: listed().map(|skill| (catalog.path(skill), skill)).collect(),
            by_real_directory: listed()
                .map(|skill| (text::parent(file(skill).shown_path().as_bstr()), skill))
                .collect(),
        }
    }

    /// The first skill below a path.
    fn below(&self, path: &BStr) -> Option<SkillId> {
        let from = BString::from([path.as_bytes(), b"/"].concat());
        let (first, &skill) = self.by_path.range(from.as_bstr()..).next()?;
        roots::is_within(first, path).then_some(skill)
    }

    /// The skill whose directory a path is, by its name without links.
    fn at(&self, directory: &BStr) -> Option<SkillId> {
        self.by_real_directory.get(directory).copied()
    }
}
