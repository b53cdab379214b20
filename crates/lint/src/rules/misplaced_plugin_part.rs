//! Reports parts of a plugin where the runtime does not look: next to its manifest, and servers without the dot.

use bstr::ByteSlice;

use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::formats;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::{CLAUDE_MANIFESTS, MISPLACED, Manifest, UNDOTTED_SERVERS, join};
use skilltree_skills::roots::{CLAUDE_PLUGIN, SERVERS};

/// The file of a marketplace.
const MARKETPLACE: &str = "marketplace.json";

/// The file of a marketplace that most programs read.
const CLAUDE_MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misplaced-plugin-part",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a part of a plugin is where its runtime does not look, such as next to its manifest",
    why: "the plugin is installed without the part, and no program reports it",
    explanation: include_str!("misplaced_plugin_part.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    marketplace(catalog, facts, sink);
    let manifests = &catalog.parsed.manifests;
    if manifests.misplaced.is_empty() {
        return;
    }
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let manifest = package.manifest.map(|number| &manifests.all[number]);
            if let Some(manifest) = manifest.filter(|manifest| *manifest.name == *CLAUDE_PLUGIN) {
                report(catalog, manifest, profile, sink);
            }
        }
    }
}

/// Reports a marketplace in a file of the top that some programs do not read, though they read one in another file.
fn marketplace(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let at_top = || catalog.parsed.manifests.all.iter().filter(|one| one.base.is_empty() && one.is_marketplace());
    let Some(manifest) = at_top().find(|manifest| *manifest.name == *MARKETPLACE && manifest.content.is_ok()) else {
        return;
    };
    let reads = |profile: &&Profile, file: &str| {
        let readings = formats::of(&profile.id);
        readings.is_some_and(|all| all.marketplaces.iter().any(|(_, one)| one.files.iter().any(|name| name == file)))
    };
    let blind: Vec<&Profile> = manifests::readers(facts)
        .into_iter()
        .filter(|profile| reads(profile, CLAUDE_MARKETPLACE) && !at_top().any(|one| reads(profile, &one.name)))
        .collect();
    if blind.is_empty() {
        return;
    }
    let verb = if blind.len() == 1 { "does" } else { "do" };
    let message = format!("{} {verb} not read a marketplace in `{MARKETPLACE}`", titles(&blind));
    let finding = sink.about(Subject::Tree).report(Place::whole(manifest.file), message);
    finding.help(format!("move it to `{CLAUDE_MARKETPLACE}`: paths in it stay the same"));
}

fn report(catalog: &Catalog, manifest: &Manifest, profile: &Profile, sink: &mut Sink) {
    let found = MISPLACED.iter().map(|(name, target)| (format!("{CLAUDE_MANIFESTS}/{name}"), *target));
    let found = found.chain([(UNDOTTED_SERVERS.to_owned(), SERVERS)]);
    let is_there = |path: &str| catalog.parsed.manifests.misplaced.contains(&join(manifest.base.as_bstr(), path));
    let found: Vec<(String, &str)> = found.filter(|(path, _)| is_there(path)).collect();
    if found.is_empty() {
        return;
    }
    let names: Vec<String> = found.iter().map(|(path, _)| format!("`{path}`")).collect();
    let moves = found.iter().map(|(path, target)| match target.ends_with(".json") {
        true => format!("`{path}` to `{target}`"),
        false => format!("the files of `{path}` to `{target}/`"),
    });
    let message = format!("{} does not read {} of this plugin", titles(&[profile]), text::joined(&names));
    let finding = sink.about(Subject::Tree).report(Place::whole(manifest.file), message);
    finding.help(format!("move {}", text::joined(&moves.collect::<Vec<_>>())));
}
