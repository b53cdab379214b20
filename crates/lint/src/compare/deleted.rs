//! Links that broke because the change deleted their target.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use crate::lint::Report;
use crate::rule::{Finding, State};
use crate::rules::{broken_link, broken_reference};
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::skill::links::{End, Link};
use skilltree_skills::skill::paths;
use skilltree_skills::snapshot::Presence;

/// Maximum number of targets that are looked up.
const TARGETS: usize = 1_000;

/// Says at each new finding about a missing file whether the change deleted it. `present` looks paths up in the base. Returns the number
/// of paths over a limit, which were not looked up.
pub fn name_deleted(report: &mut Report, present: impl FnOnce(&[BString]) -> Vec<Presence>) -> usize {
    let broken = broken(report);
    let all: BTreeSet<&BString> = broken.values().flatten().collect();
    let wanted: Vec<BString> = all.iter().take(TARGETS).copied().cloned().collect();
    if wanted.is_empty() {
        return 0;
    }
    let was_there = |presence: Presence| matches!(presence, Presence::Present);
    let deleted: BTreeMap<&BString, bool> = wanted.iter().zip(present(&wanted).into_iter().map(was_there)).collect();
    let is_deleted = |place: Place| {
        broken.get(&place).into_iter().flatten().any(|path| deleted.get(path).copied().unwrap_or_default())
    };
    report.findings.iter_mut().filter(|finding| is_new(finding)).for_each(|finding| name(finding, is_deleted));
    all.len() - wanted.len()
}

fn is_new(finding: &Finding) -> bool {
    let is_about_targets = [broken_link::RULE.id, broken_reference::RULE.id].contains(&finding.rule.id());
    is_about_targets && finding.state == Some(State::New)
}

fn name(finding: &mut Finding, is_deleted: impl Fn(Place) -> bool) {
    for occurrence in finding.occurrences.iter_mut().filter(|occurrence| occurrence.state == Some(State::New)) {
        if is_deleted(occurrence.place) {
            let named = format!("{}: this change deleted it", occurrence.message);
            if occurrence.place == finding.place {
                finding.message = finding.message.replacen(&occurrence.message, &named, 1);
            }
            for (_, message) in finding.related.iter_mut().filter(|(place, _)| *place == occurrence.place) {
                message.clone_from(&named);
            }
            occurrence.message = named;
        }
    }
    if finding.occurrences.is_empty() && is_deleted(finding.place) {
        finding.message.push_str(": this change deleted it");
    }
}

/// Returns the paths that the broken links of new findings may name, by place: relative to the text, and to its skill.
fn broken(report: &Report) -> BTreeMap<Place, Vec<BString>> {
    let mut found = BTreeMap::new();
    let files: BTreeSet<_> =
        report.findings.iter().filter(|finding| is_new(finding)).map(|finding| finding.place.file).collect();
    if files.is_empty() {
        return found;
    }
    for skill in &report.catalog.parsed.skills {
        let own = text::parent(report.catalog.file(skill.file).path.as_bstr());
        for (file, links) in skill.links().filter(|(file, _)| files.contains(file)) {
            let directory = text::parent(report.catalog.file(file).path.as_bstr());
            let is_missing = |link: &&Link| link.end == End::Nothing;
            for link in links.unresolved.iter().chain(&links.mentions).filter(is_missing) {
                let end = link.written.find(['#', '?']).unwrap_or(link.written.len());
                let target = link.written.as_bytes()[..end].as_bstr();
                let paths = [directory, own].into_iter().filter_map(|from| paths::resolve(from, target));
                found.insert(link.place, paths.collect());
            }
        }
    }
    found
}
