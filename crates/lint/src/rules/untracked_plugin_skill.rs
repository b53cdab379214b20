//! Reports plugins whose skills Git ignores.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "untracked-plugin-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "Git ignores the skills of a plugin",
    why: "users who install the plugin from Git get it without a skill",
    explanation: include_str!("untracked_plugin_skill.md"),
    check: Check::Catalog(check),
    one_source: true,
    reads: Reads::Index,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let manifests = &catalog.parsed.manifests;
    if manifests.ignored.is_empty() {
        return;
    }
    let directory = |skill: &BStr| text::parent(text::parent(text::parent(skill))).to_owned();
    let ignored: BTreeMap<_, _> =
        manifests.ignored.iter().map(|skill| (directory(skill.as_bstr()), skill.as_bstr())).collect();
    let mut found: BTreeMap<&BStr, FileId> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        for package in &catalog.packages(profile).all {
            let has_none = package.skills.is_empty() && package.flat.is_empty();
            let is_wanted = has_none && package.is_whole_for(&profile.id) && !package.is_lost();
            let manifest = package.manifest.or(package.way.marketplace()).filter(|_| is_wanted);
            if let Some((skill, manifest)) = ignored.get(&package.directory).zip(manifest) {
                found.entry(skill).or_insert(manifests.all[manifest].file);
            }
        }
    }
    for (skill, file) in found {
        let path = text::lossless(skill);
        let message =
            format!("Git ignores `{}`, and no other skill of this plugin is tracked", text::shortened(&path, 80));
        sink.about(Subject::Tree)
            .report(Place::whole(file), message)
            .help("change the ignore pattern, which `git check-ignore --verbose` shows for the path");
    }
}
