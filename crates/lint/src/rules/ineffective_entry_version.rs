//! Reports versions of entries that the manifest of the plugin replaces.

use std::collections::HashMap;

use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use crate::rules::several;
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
    if !all.iter().any(|manifest| manifest.entries().iter().any(|entry| entry.get(VERSION).is_some())) {
        return;
    }
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        let is_observed = |package: &&Package| package.format.id == FORMAT && package.is_whole_for(&profile.id);
        let mut entries: HashMap<(usize, &str), &Json> = HashMap::new();
        for (number, manifest) in all.iter().enumerate().filter(|(_, manifest)| manifest.is_marketplace()) {
            let named = manifest.entries().iter().filter_map(|entry| Some((entry.get("name")?.text()?, entry)));
            entries.extend(named.map(|(name, entry)| ((number, name), entry)));
        }
        let occurrences = packages.all.iter().filter(is_observed).filter_map(|package| {
            let Way::Entry(market, name) = &package.way else { return None };
            let own = all[package.manifest?].content.as_ref().ok()?.get(VERSION)?.text()?;
            let entry = entries.get(&(*market, name.as_str()))?.get(VERSION)?;
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
