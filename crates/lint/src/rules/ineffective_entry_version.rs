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

/// Key of the version of a marketplace.
const MARKET_VERSION: &str = "metadata.version";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    let entries = all.iter().enumerate().flat_map(|(number, manifest)| {
        let named = manifest.entries().iter().filter_map(versioned);
        named.map(move |(name, version)| ((number, name), version))
    });
    let entries: HashMap<(usize, &str), &Json> = entries.collect();
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
        let of_market = packages.all.iter().filter(is_observed).filter_map(|package| {
            let Way::Entry(market, name) = &package.way else { return None };
            let is_versioned = entries.contains_key(&(*market, name.as_str()));
            let (market, plugin) = (&all[*market], &all[package.manifest?]);
            // A marketplace of several plugins has a version of its own.
            let is_same = market.base == plugin.base && market.entries().len() == 1;
            let listed = market.content.as_ref().ok()?.at(MARKET_VERSION)?;
            let own = plugin.content.as_ref().ok()?.get(VERSION)?.text()?;
            let newer = listed.text().filter(|listed| is_newer(listed, own))?;
            (is_same && !is_versioned).then(|| {
                let (newer, own) = (text::shortened(newer, 64), text::shortened(own, 64));
                let message = format!(
                    "{} installs `{own}`, the version of the plugin: `{newer}` here is that of the marketplace",
                    titles(&[profile])
                );
                let help = format!("write `{newer}` in the manifest of the plugin, too, or remove `{VERSION}` here");
                Occurrence::new(Place::new(market.file, listed.range.clone()), message, name.as_bytes()).with_help(help)
            })
        });
        if let Some(finding) = several::report(sink.about(Subject::Tree), of_market) {
            finding.at_most(Level::Note);
        }
    }
}

/// Returns whether a version of numbers is above another one.
fn is_newer(version: &str, than: &str) -> bool {
    let numbers = |version: &str| version.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    numbers(version).zip(numbers(than)).is_some_and(|(version, than)| version > than)
}

/// Returns the name and the version of an entry.
fn versioned(entry: &Json) -> Option<(&str, &Json)> {
    entry.get("name")?.text().zip(entry.get(VERSION))
}
