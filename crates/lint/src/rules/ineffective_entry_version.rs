//! Reports versions of entries that the manifest of the plugin replaces.

use std::collections::HashMap;

use super::manifests::{self, titles};
use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Package, Way};
use skilltree_skills::manifest::json::Json;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ineffective-entry-version",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "the version of an entry differs from that of its plugin, which applies",
    why: "a new version in the marketplace alone reaches no user",
    explanation: include_str!("ineffective_entry_version.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// The format whose runtime was observed.
const FORMAT: &str = "claude-plugin";
const VERSION: &str = "version";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    let entries = all.iter().enumerate().flat_map(|(number, manifest)| {
        let named = manifest.entries().iter().filter_map(versioned);
        named.map(move |(name, version)| ((number, name), version))
    });
    let entries: HashMap<(usize, &str), &Json> = entries.collect();
    if entries.is_empty() {
        return;
    }
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        let is_observed = |package: &&Package| package.format.id == FORMAT && package.is_whole_for(&profile.id);
        let occurrences = packages.all.iter().filter(is_observed).filter_map(|package| {
            let Way::Entry(market, name) = &package.way else { return None };
            let own = all[package.manifest?].content.as_ref().ok()?.get(VERSION)?.text()?;
            let entry = entries.get(&(*market, name.as_str()))?;
            let listed = entry.text().filter(|listed| *listed != own)?;
            let (listed, own) = (text::shortened(listed, 64), text::shortened(own, 64));
            let message = format!("{} installs `{own}`, the version of the plugin, not `{listed}`", titles(&[profile]));
            let place = Place::new(all[*market].file, entry.range.clone());
            let help = format!("write `{listed}` in the manifest of the plugin, too, or remove `{VERSION}` here");
            Some(Occurrence::new(place, message, name.as_bytes()).with_help(help))
        });
        several::report(sink.about(Subject::Tree), occurrences);
    }
}

/// Returns the name and the version of an entry.
fn versioned(entry: &Json) -> Option<(&str, &Json)> {
    entry.get("name")?.text().zip(entry.get(VERSION))
}
