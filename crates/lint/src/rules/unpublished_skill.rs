//! Reports skills of a package that npm does not publish.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::manifest::Published;
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unpublished-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "npm does not publish a skill of the package",
    why: "who installs the package from the registry gets it without the skill",
    explanation: include_str!("unpublished_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Number of directories of skills that a finding names.
const SHOWN: usize = 3;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut members: BTreeMap<usize, BTreeSet<SkillId>> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| !package.is_lost()) {
            let Some(manifest) = package.manifest else { continue };
            let found = package.skills.iter().filter(|member| member.lost.is_none() && member.through.is_none());
            members.entry(manifest).or_default().extend(found.map(|member| member.skill));
        }
    }
    for (number, skills) in members.into_iter().filter(|(_, skills)| !skills.is_empty()) {
        let manifest = &catalog.parsed.manifests.all[number];
        let Some(published) = manifest.published() else { continue };
        let place = Place::new(manifest.file, published.list.range.clone());
        if published.is_too_long() {
            let (count, most) = (grouped(published.list.items().len()), grouped(Published::ENTRIES));
            sink.about(Subject::Tree)
                .report(place, format!("`files` has {count} entries; of more than {most}, skilltree compares none"))
                .at_most(Level::Note)
                .help("name directories instead of files");
            continue;
        }
        let inside = |id: SkillId| roots::relative(catalog.path(id), manifest.base.as_bstr());
        let is_missing = |path: &&BStr| !published.has(path);
        let missing: Vec<&BStr> = skills.iter().filter_map(|&id| inside(id)).filter(is_missing).collect();
        let named: Vec<String> = missing.iter().take(SHOWN).map(|path| format!("`{}`", shown(path))).collect();
        if named.is_empty() {
            continue;
        }
        let more = match missing.len() - named.len() {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        let first = missing[0].split_str("/").next().unwrap_or_default().as_bstr();
        let entry = if first == text::file_name(missing[0]) { "SKILL.md".into() } else { text::lossless(first) };
        sink.about(Subject::Tree)
            .report(place, format!("npm does not publish {}{more}: `files` has no entry for it", named.join(", ")))
            .help(format!("add `\"{}\"` to the list", text::shortened(&entry, 64)));
    }
}

/// Returns the directory of a skill, or the file if it is that of the package.
fn shown(path: &BStr) -> String {
    let directory = text::parent(path);
    let shown = text::lossless(if directory.is_empty() { path } else { directory });
    text::shortened(&shown, 80).into_owned()
}
