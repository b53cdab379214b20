//! Reports plugins whose skills Git ignores.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use super::{manifests, untracked_skill};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::manifest::Ignored;

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
    let all = manifests.ignored.iter().filter(|(_, ignored)| ignored.is_of_package);
    let ignored: BTreeMap<&BStr, (&BStr, &Ignored)> =
        all.map(|(directory, ignored)| (text::parent(directory.as_bstr()), (directory.as_bstr(), ignored))).collect();
    let mut found: BTreeMap<&BStr, (&Ignored, FileId)> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        for package in &catalog.packages(profile).all {
            let has_none = package.skills.is_empty() && package.flat.is_empty();
            let is_wanted = has_none && package.is_whole_for(&profile.id) && !package.is_lost();
            let manifest = package.manifest.or(package.way.marketplace()).filter(|_| is_wanted);
            if let Some((&(directory, skills), manifest)) = ignored.get(package.directory.as_bstr()).zip(manifest) {
                found.entry(directory).or_insert((skills, manifests.all[manifest].file));
            }
        }
    }
    for (directory, (ignored, file)) in found {
        let path = text::lossless(ignored.first.as_bstr());
        let message =
            format!("Git ignores `{}`, and no other skill of this plugin is tracked", text::shortened(&path, 80));
        let finding = sink.about(Subject::Tree).report(Place::whole(file), message);
        finding.help(untracked_skill::help(directory, ignored));
        if ignored.by.is_some() {
            finding.related(untracked_skill::place(ignored), "the pattern is here");
        }
    }
}
