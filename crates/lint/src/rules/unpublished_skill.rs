//! Reports skills of a package that npm does not publish.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::manifest::json::Value;
use skilltree_skills::manifest::{Manifest, NPM_IGNORE, Published};
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::Mode;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unpublished-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "npm does not publish a skill of the package, or a file of it",
    why: "who installs the package from the registry gets it without the skill, or without what the skill reads",
    explanation: include_str!("unpublished_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Number of paths that a finding names.
const SHOWN: usize = 3;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    let mut packages: BTreeMap<&BStr, Members> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        let found = catalog.packages(profile);
        for package in found.all.iter().filter(|package| !package.is_lost()) {
            let Some(manifest) = package.manifest else { continue };
            let members = packages.entry(all[manifest].base.as_bstr()).or_default();
            for member in package.skills.iter().filter(|member| member.lost.is_none()) {
                let file = catalog.file(catalog.skill(member.skill).file);
                let directory = text::parent(file.path.as_bstr());
                let path = match file.mode {
                    Mode::Link => file.path.clone(),
                    _ => member.through.clone().unwrap_or_else(|| directory.to_owned()),
                };
                match (&member.through, &file.through) {
                    (None, None) => _ = members.skills.insert(member.skill),
                    (_, real) => _ = members.linked.insert(path, real.clone().unwrap_or_else(|| file.path.clone())),
                }
            }
        }
    }
    for manifest in all.iter().filter(|manifest| manifest.name == roots::NPM_PACKAGE) {
        let Some(members) = packages.get(manifest.base.as_bstr()) else { continue };
        if let Some(published) = catalog.parsed.manifests.published(manifest) {
            linked(catalog, manifest, &published, members, sink);
            unpublished(catalog, manifest, &published, &members.skills, sink);
        }
    }
}

/// The skills of a package.
#[derive(Default)]
struct Members {
    /// Those without a link in their path.
    skills: BTreeSet<SkillId>,
    /// The paths of the others, each with that of its file.
    linked: BTreeMap<BString, BString>,
}

/// Reports skills that a package finds only through links: npm leaves out links.
fn linked(catalog: &Catalog, manifest: &Manifest, published: &Published<'_>, members: &Members, sink: &mut Sink) {
    if members.linked.is_empty() {
        return;
    }
    let known: BTreeSet<&BStr> = members.skills.iter().map(|&id| catalog.path(id)).collect();
    let lost = members.linked.iter().filter(|(_, real)| !known.contains(real.as_bstr())).map(|(path, _)| path);
    let inside = lost.filter_map(|path| roots::relative(path.as_bstr(), manifest.base.as_bstr()));
    let inside: Vec<&BStr> = inside.collect();
    if inside.is_empty() {
        return;
    }
    let place = place(manifest, published);
    let message = format!("npm does not publish {}: npm leaves out symbolic links", named(inside.into_iter()));
    sink.about(Subject::Tree).report(place, message).help("commit the directory in place of the link");
}

/// Returns the list of what is published, or the manifest.
fn place(manifest: &Manifest, published: &Published<'_>) -> Place {
    published.list.map_or(Place::whole(manifest.file), |list| Place::new(manifest.file, list.range.clone()))
}

/// Reports skills that npm does not publish, and of the others the files that they use.
fn unpublished(
    catalog: &Catalog,
    manifest: &Manifest,
    published: &Published<'_>,
    skills: &BTreeSet<SkillId>,
    sink: &mut Sink,
) {
    let place = place(manifest, published);
    if let Some(count) = published.too_many().filter(|_| !skills.is_empty()) {
        let (count, most) = (grouped(count), grouped(Published::ENTRIES));
        let (message, help) = match published.list {
            Some(_) => (
                format!("`files` has {count} entries; of more than {most}, skilltree compares none"),
                "name directories instead of files",
            ),
            None => (
                format!("`{NPM_IGNORE}` has {count} lines; of more than {most}, skilltree compares none"),
                "list what to publish in `files`",
            ),
        };
        sink.about(Subject::Tree).report(place, message).at_most(Level::Note).help(help);
        return;
    }
    let inside = |path: &'_ BStr| roots::relative(path, manifest.base.as_bstr()).map(BStr::to_owned);
    let (mut lost, mut parts) = (Vec::new(), Vec::new());
    for &id in skills {
        let Some(path) = inside(catalog.path(id)) else { continue };
        if published.has(path.as_bstr()) {
            let used = used(catalog, id).into_iter().filter_map(|file| inside(catalog.file(file).path.as_bstr()));
            parts.extend(used.filter(|path| !published.has(path.as_bstr())));
        } else {
            let directory = text::parent(path.as_bstr());
            lost.push(if directory.is_empty() { path } else { directory.to_owned() });
        }
    }
    let is_text = published.list.is_some_and(|list| matches!(list.value, Value::Text(_)));
    for (paths, what) in [(lost, ""), (parts, ", which a skill uses")] {
        let Some(first) = paths.first().and_then(|path| path.split_str("/").next()) else { continue };
        let entry = text::lossless(first.as_bstr());
        let entry = text::shortened(&entry, 64);
        let named = named(paths.iter().map(|path| path.as_bstr()));
        let (reason, help) = match published.list {
            None => (
                format!("`{NPM_IGNORE}` excludes it"),
                format!(
                    "remove the pattern from `{NPM_IGNORE}`, or list what to publish in `files`, with `\"{entry}\"`"
                ),
            ),
            Some(_) if is_text => ("`files` is not a list".to_owned(), format!("write `[\"{entry}\"]`")),
            Some(_) => ("`files` has no entry for it".to_owned(), format!("add `\"{entry}\"` to the list")),
        };
        sink.about(Subject::Tree).report(place, format!("npm does not publish {named}{what}: {reason}")).help(help);
    }
}

/// Returns the files of a skill that a text of it names: other Markdown files, and scripts.
fn used(catalog: &Catalog, id: SkillId) -> Vec<FileId> {
    let references = &catalog.skill(id).references;
    let read = references.read.iter().map(|reference| reference.file);
    let files = read.chain(references.scripts.iter().map(|script| script.file));
    files.filter(|file| !references.unreferenced.contains(file)).collect()
}

/// Returns the first of some paths, and the number of the others.
fn named<'a>(paths: impl ExactSizeIterator<Item = &'a BStr>) -> String {
    let more = paths.len().saturating_sub(SHOWN);
    let shown = |path: &BStr| format!("`{}`", text::shortened(&text::lossless(path), 80));
    let first = paths.take(SHOWN).map(shown).collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first} and {} more", grouped(more)) }
}
