//! Reports differences between deployed skills and their source.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, RootsByPath, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, File, Role};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "deploy-drift",
    group: Group::Catalog,
    since: E2026,
    level: Level::Off,
    summary: "a deployed skill differs from its source",
    why: "a deployment copies SKILL.md and references/ once and never overwrites, so later changes do not arrive",
    explanation: include_str!("deploy_drift.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let roots = RootsByPath::new(facts.roots);
    for deployment in &facts.copies.deployments {
        let mut deployed: BTreeMap<Vec<BString>, Vec<usize>> = BTreeMap::new();
        for (to, captured) in roots.captured([&deployment.to]) {
            deployed.entry(captured).or_default().push(to);
        }
        for (from, captured) in roots.captured([&deployment.from]) {
            let to = deployed.get(&captured).and_then(|others| others.iter().find(|&&other| other != from));
            if let Some(&to) = to {
                compare(catalog, RootId(from as u32), RootId(to as u32), sink);
            }
        }
    }
}

/// Compares the skills of a root with their deployed copies.
fn compare(catalog: &Catalog, from: RootId, to: RootId, sink: &mut Sink) {
    let deployed: BTreeMap<&BStr, (FileId, &File)> =
        below(catalog, to).map(|(path, id, file)| (path, (id, file))).collect();
    let listed = catalog.listed.iter().filter(|&&id| catalog.skill(id).root == from && catalog.skill(id).depth == 1);
    let skills: BTreeMap<&BStr, SkillId> = listed.map(|&id| (catalog.skill(id).directory.as_bstr(), id)).collect();
    let mut drifts: BTreeMap<SkillId, Drift<'_>> = BTreeMap::new();
    for (path, id, file) in below(catalog, from) {
        let Some((directory, rest)) = path.split_once_str(b"/") else { continue };
        let Some(&skill) = skills.get(directory.as_bstr()) else { continue };
        let drift = drifts.entry(skill).or_default();
        if rest != b"SKILL.md" && !rest.starts_with(b"references/") {
            drift.left.push(rest.as_bstr());
            continue;
        }
        match deployed.get(path) {
            None => drift.missing.push(rest.as_bstr()),
            Some((other, copy)) if file.id.is_some() && copy.id.is_some() && file.id != copy.id => {
                drift.changed.push((id, *other));
            }
            Some(_) => {}
        }
    }
    for (skill, drift) in drifts {
        sink.about(Subject::Skill(skill));
        report(catalog, skill, to, &drift, sink);
    }
}

/// The differences between a skill and its deployed copy.
#[derive(Debug, Default)]
struct Drift<'a> {
    /// Files that should have been copied.
    missing: Vec<&'a BStr>,
    /// Files with different content: the source and the copy.
    changed: Vec<(FileId, FileId)>,
    /// Files that a deployment never copies.
    left: Vec<&'a BStr>,
}

fn report(catalog: &Catalog, skill: SkillId, to: RootId, drift: &Drift<'_>, sink: &mut Sink) {
    let own = Place::whole(catalog.skill(skill).file);
    let root = text::lossless(catalog.root(to).path.as_bstr());
    if drift.missing.iter().any(|path| *path == "SKILL.md") {
        sink.report(own, format!("the skill is not deployed to `{root}`")).help("deploy it");
        return;
    }
    for &(ours, theirs) in &drift.changed {
        let path = text::lossless(catalog.file(theirs).path.as_bstr());
        sink.report(Place::whole(ours), format!("`{path}` was deployed from another version of this file"))
            .related(Place::whole(theirs), "the deployed file")
            .help("remove the deployed skill and deploy it again: a deployment never overwrites");
    }
    if !drift.missing.is_empty() {
        sink.report(own, format!("the deployed skill in `{root}` lacks {}", names(&drift.missing)))
            .help("remove the deployed skill and deploy it again: a deployment never overwrites");
    }
    if !drift.left.is_empty() {
        sink.report(own, format!("a deployment does not copy {}", names(&drift.left)))
            .help("move files that the skill needs to `references/`; only SKILL.md and `references/` are copied");
    }
}

/// Returns the files below a root, with their paths relative to it.
fn below(catalog: &Catalog, root: RootId) -> impl Iterator<Item = (&BStr, FileId, &File)> {
    let length = catalog.root(root).path.len() + 1;
    let is_content = |file: &File| matches!(file.role, Role::Skill | Role::Other) && file.body != Body::Directory;
    let files = catalog.files().filter(move |(_, file)| file.root == Some(root) && is_content(file));
    files.filter_map(move |(id, file)| Some((file.path.get(length..)?.as_bstr(), id, file)))
}

/// Formats the first file names, and the number of the others.
fn names(paths: &[&BStr]) -> String {
    let first = format!("`{}`", text::lossless(paths[0]));
    match paths.len() {
        1 => first,
        2 => format!("{first} and `{}`", text::lossless(paths[1])),
        many => format!("{first} and {} more files", many - 1),
    }
}
