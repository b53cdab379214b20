//! Reports directories that contain skills and are not roots, although their name is close to one or a target reads
//! them.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject, listed};
use crate::rules::misspelled;
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Package;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_runtimes::scope;
use skilltree_skills::agents;
use skilltree_skills::roots::{self, Root, RootId};
use skilltree_skills::snapshot::{Body, File, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "near-miss-root",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a directory contains skills but is not a configured root",
    why: "skilltree does not check its skills, and no prompt includes them",
    explanation: include_str!("near_miss_root.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Cap on the roots in the notes.
const SHOWN: usize = 3;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Near) {
        let path = text::lossless(file.path.as_bstr());
        if let Some(meant) = agents::meant(file.path.as_bstr()) {
            sink.about(Subject::Tree)
                .report(Place::whole(id), format!("no known runtime reads `{path}`; its name is close to `{meant}`"))
                .help(format!("rename it to `{meant}`"))
                .at_most(Level::Warning);
            continue;
        }
        let finding = sink.about(Subject::Tree).report(Place::whole(id), message(facts, file, &path));
        let roots = facts.roots.iter().map(|root| root.path.as_bstr()).take(SHOWN);
        for path in [file.path.as_bstr()].into_iter().chain(roots) {
            let readers = titles(facts.profiles.ids(), facts, path);
            let shown = text::lossless(path);
            finding.note(match readers.as_slice() {
                [] if path == file.path => {
                    format!("no known runtime reads `{shown}`; its name is close to that of a root")
                }
                [] => format!("no known runtime reads `{shown}`"),
                readers => format!("{} {} `{shown}`", listed(readers), reads(readers)),
            });
        }
        let rename = misspelled::rename(catalog, facts, file.path.as_bstr());
        if rename.is_none() || !file.path.starts_with(b".") {
            finding.at_most(Level::Warning);
        }
        finding.help(rename.unwrap_or_else(|| help(catalog, facts, file, &path)));
    }
    misspelled_roots(catalog, facts, sink);
}

/// Reports configured skills directories that no runtime reads, although their names are close to one that a runtime does.
fn misspelled_roots(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    for (_, skill) in catalog.skills().filter(|(_, skill)| seen.insert(skill.root)) {
        let root = catalog.root(skill.root);
        let is_of_runtime =
            facts.profiles.find(&root.profile).is_none_or(|profile| profile.kind != Kind::Specification);
        if is_of_runtime {
            continue;
        }
        let Some(rename) = misspelled::rename(catalog, facts, root.path.as_bstr()) else { continue };
        if is_named(catalog, facts, skill.root) {
            continue;
        }
        let path = text::lossless(root.path.as_bstr());
        sink.about(Subject::Root(skill.root))
            .report(Place::whole(skill.file), format!("no known runtime reads `{path}`"))
            .help(rename);
    }
}

/// Returns whether a manifest or a marketplace names a skills directory or its skills: a plugin may call it as it likes.
fn is_named(catalog: &Catalog, facts: &Facts<'_>, root: RootId) -> bool {
    let is_from_file = |package: &Package| package.manifest.is_some() || package.way.marketplace().is_some();
    let mut readers = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    readers.any(|profile| {
        let packages = catalog.packages(profile);
        let numbers = |(id, _)| packages.of_skill(id).map(|(number, _)| number);
        packages.reads(root)
            && catalog.skills_of(root).flat_map(numbers).any(|number| is_from_file(&packages.all[number]))
    })
}

/// Returns the message, which names the targets that read the directory: for them its name is not a typo.
fn message(facts: &Facts<'_>, file: &File, path: &str) -> String {
    match titles(facts.targets.iter().map(String::as_str), facts, file.path.as_bstr()).as_slice() {
        [] => format!("`{path}` contains skills but is not a configured root"),
        targets => format!(
            "{} {} `{path}`, which contains skills but is not a configured root",
            listed(targets),
            reads(targets)
        ),
    }
}

fn reads(titles: &[&str]) -> &'static str {
    if titles.len() == 1 { "reads" } else { "read" }
}

/// Returns the titles of the runtimes that read a directory by its name, without those that read any directory.
fn titles<'a>(ids: impl Iterator<Item = &'a str>, facts: &Facts<'a>, path: &BStr) -> Vec<&'a str> {
    let root = Root { path: path.to_owned(), ..Root::default() };
    let reads_it = |profile: &&Profile| scope::searches(profile, &root);
    let mut titles: Vec<&str> = Vec::new();
    for profile in ids.filter_map(|id| facts.profiles.find(id)).filter(reads_it) {
        if !titles.contains(&profile.title.as_str()) {
            titles.push(&profile.title);
        }
    }
    titles
}

fn help(catalog: &Catalog, facts: &Facts<'_>, file: &File, path: &str) -> String {
    if let Some(to) = renamed(facts, path) {
        return format!("rename it to `{to}`");
    }
    // The root is the one with the wrong name.
    let roots = facts.roots.iter().filter(|root| root.configured).filter_map(|root| root.path.to_str().ok());
    let is_read = !titles(facts.profiles.ids(), facts, file.path.as_bstr()).is_empty();
    if let Some(root) = text::one_letter_off(path, roots).filter(|_| is_read) {
        return format!("write `path = \"{path}\"` in place of `{root}` in `[[root]]`");
    }
    let add = format!("add it to skilltree.toml: `[[root]]` with `path = \"{path}\"`");
    let absent: BTreeSet<&BStr> =
        catalog.files().filter(|(_, file)| file.body == Body::Absent).map(|(_, file)| file.path.as_bstr()).collect();
    let mut there = facts.roots.iter().filter(|root| !absent.contains(root.path.as_bstr()));
    let near = there.clone().find(|root| text::parent(root.path.as_bstr()) == text::parent(file.path.as_bstr()));
    match near.or(there.next()) {
        Some(root) => format!("{add}; or move its skills to `{}`", text::lossless(root.path.as_bstr())),
        None => add,
    }
}

/// Returns the directory that a runtime reads and that a directory which none reads differs from in one letter.
pub(super) fn renamed(facts: &Facts<'_>, path: &str) -> Option<String> {
    let root = Root { path: path.into(), ..Root::default() };
    let profiles = || facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    let known = || profiles().flat_map(scope::repository_roots).map(|known| known.path.as_str());
    let near = text::one_letter_off(path, known().filter(|known| !roots::has_wildcard(known)));
    let is_read = || profiles().any(|profile| scope::searches(profile, &root));
    near.filter(|_| !is_read()).map(str::to_owned)
}
