//! Reports skills and skills directories that are symbolic links inside the repository.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, Mode, Resolution, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "linked-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Note,
    summary: "a skill or a skills directory is a symbolic link",
    why: "not every runtime follows a linked SKILL.md, and git on Windows may write a plain file instead of a link",
    explanation: include_str!("linked_skill.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| matches!(reason, Reason::Link)),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    linked_directories(catalog, sink);
    for (id, skill) in catalog.skills() {
        let file = catalog.file(skill.file);
        if let (Mode::Link, Some(real)) = (file.mode, &file.through) {
            let (path, real) = (text::lossless(file.path.as_bstr()), text::lossless(real.as_bstr()));
            sink.about(Subject::Skill(id))
                .report(Place::whole(skill.file), format!("`{path}` is a symbolic link; it is checked as `{real}`"))
                .help("link the skill directory instead");
        }
    }
}

/// Reports links to directories that a source lists: those in the path of a root, and those directly in a root.
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
                let is_root = catalog.root(root).paths().any(|path| path == file.path);
                let what = if is_root { "the skills directory " } else { "" };
                sink.about(Subject::Root(root)).report(
                    Place::whole(id),
                    format!("{what}`{path}` is a symbolic link; its skills are checked in `{real}`"),
                );
            }
            (Role::Other, _) => {
                if let Some(skill) = skills.below(file.path.as_bstr()) {
                    let message = format!("`{path}` is a symbolic link; the skill is checked in `{real}`");
                    sink.about(Subject::Skill(skill)).report(Place::whole(id), message);
                } else if let Some(skill) = skills.at(target) {
                    let message = format!("`{path}` is a second link to the skill in `{real}`, which is checked once");
                    sink.about(Subject::Skill(skill)).report(Place::whole(id), message);
                }
            }
            _ => {}
        }
    }
}

/// Listed skills, indexed by path.
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

    /// Returns the first skill below a path.
    fn below(&self, path: &BStr) -> Option<SkillId> {
        let from = BString::from([path.as_bytes(), b"/"].concat());
        let (first, &skill) = self.by_path.range(from.as_bstr()..).next()?;
        roots::is_within(first, path).then_some(skill)
    }

    /// Returns the skill in a directory, which is given without links.
    fn at(&self, directory: &BStr) -> Option<SkillId> {
        self.by_real_directory.get(directory).copied()
    }
}
