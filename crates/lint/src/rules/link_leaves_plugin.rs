//! Reports links of a plugin's skills that point outside the plugin.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::{manifests, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Way;
use skilltree_skills::roots;
use skilltree_skills::skill::links::Leaving;
use skilltree_skills::skill::{Mark, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "link-leaves-plugin",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a link points outside the plugin",
    why: "an installed plugin is a copy of its directory, in which the agent does not find the file",
    explanation: include_str!("link_leaves_plugin.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let leaves = |id: SkillId| catalog.skill(id).links().any(|(_, links)| links.leaving.count > 0);
    if !catalog.skills().any(|(id, _)| leaves(id)) {
        return;
    }
    let mut found: BTreeMap<FileId, BTreeMap<usize, &Mark<Leaving>>> = BTreeMap::new();
    let mut kept: BTreeSet<SkillId> = BTreeSet::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let is_copied = matches!(package.way, Way::Entry(..)) || package.listed_in.is_some();
            let members = package.skills.iter().filter(|member| member.lost.is_none());
            for id in members.map(|member| member.skill).filter(|&id| leaves(id) && is_copied && kept.insert(id)) {
                for (file, links) in catalog.skill(id).links() {
                    let directory = package.directory.as_bstr();
                    let marks = links.leaving.first.iter();
                    let outside = marks.filter(|mark| !roots::is_within(mark.value.path.as_bstr(), directory));
                    found.entry(file).or_default().extend(outside.map(|mark| (mark.place.range().start, mark)));
                }
            }
        }
    }
    for marks in found.into_values() {
        let message = |link: &Leaving| format!("`{}` is outside the plugin", text::shortened(&link.written, 80));
        let occurrences = marks.values().map(|mark| Occurrence::of(mark, message(&mark.value)));
        if let Some(finding) = several::report(sink.about(Subject::Tree), occurrences) {
            finding.help("copy the file into the plugin, or replace the link with plain text");
        }
    }
}
