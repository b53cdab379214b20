//! Reports parts of a plugin that lie next to its manifest, where the runtime does not look.

use bstr::ByteSlice;

use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Package, Packages};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::{CLAUDE_MANIFESTS, MISPLACED};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misplaced-plugin-part",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a part of a plugin is next to its manifest, where its runtime does not look",
    why: "the plugin is installed without the part, and no program reports it",
    explanation: include_str!("misplaced_plugin_part.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let manifests = &catalog.parsed.manifests;
    if manifests.misplaced.is_empty() {
        return;
    }
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in own(&packages, profile) {
            let Some(manifest) = package.manifest.map(|number| &manifests.all[number]) else { continue };
            let path = catalog.file(manifest.file).path.as_bstr();
            if text::file_name(text::parent(path)) == CLAUDE_MANIFESTS {
                report(catalog, (package, profile), Place::whole(manifest.file), sink);
            }
        }
    }
}

/// Returns the packages that are made for a runtime alone.
fn own<'p>(packages: &'p Packages, profile: &Profile) -> impl Iterator<Item = &'p Package> {
    packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost())
}

fn report(catalog: &Catalog, (package, profile): (&Package, &Profile), place: Place, sink: &mut Sink) {
    let inside = |name: &str| format!("{CLAUDE_MANIFESTS}/{name}");
    let is_there = |name: &str| {
        let path = skilltree_skills::manifest::join(package.directory.as_bstr(), &inside(name));
        catalog.parsed.manifests.misplaced.contains(&path)
    };
    let found = || MISPLACED.iter().filter(|(name, _)| is_there(name));
    let names: Vec<String> = found().map(|(name, _)| format!("`{}`", inside(name))).collect();
    if names.is_empty() {
        return;
    }
    let to = |name: &str, target: &str| match name.contains('.') {
        true => format!("`{}` to `{target}`", inside(name)),
        false => format!("the files of `{}` to `{target}/`", inside(name)),
    };
    let moves: Vec<String> = found().map(|(name, target)| to(name, target)).collect();
    let message = format!("{} does not read {} of this plugin", titles(&[profile]), text::joined(&names));
    let finding = sink.about(Subject::Tree).report(place, message);
    finding.help(format!("move {}", text::joined(&moves)));
}
