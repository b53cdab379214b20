//! Reports plugins that the marketplace around them does not list.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::{manifests, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Package, Packages, Way};
use skilltree_skills::manifest::Manifest;
use skilltree_skills::manifest::json::Value;
use skilltree_skills::roots;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unlisted-plugin",
    group: Group::Catalog,
    since: E2026,
    level: Level::Note,
    summary: "a marketplace has no entry for a plugin below it",
    why: "users of the marketplace cannot install the plugin",
    explanation: include_str!("unlisted_plugin.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// A manifest of a plugin, and the marketplace without an entry for it.
type Unlisted<'a> = (&'a Manifest, &'a Manifest);

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut found: BTreeMap<usize, Unlisted<'_>> = BTreeMap::new();
    let mut listed = BTreeSet::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        let entries = entries(catalog, &packages);
        listed.extend(packages.all.iter().filter(|package| !is_alone(package)).filter_map(|package| package.manifest));
        for package in packages.all.iter().filter(|package| is_alone(package)) {
            if let Some((number, unlisted)) = unlisted(catalog, package, &entries) {
                found.entry(number).or_insert(unlisted);
            }
        }
    }
    found.retain(|number, _| !listed.contains(number));
    let occurrences = found.values().map(|(plugin, marketplace)| {
        let path = |manifest: &Manifest| text::lossless(catalog.file(manifest.file).path.as_bstr());
        let inside =
            roots::relative(plugin.base.as_bstr(), marketplace.base.as_bstr()).unwrap_or(plugin.base.as_bstr());
        let message = format!("`{}` has no entry for this plugin", path(marketplace));
        let help = format!("add an entry with `\"source\": \"./{}\"`", text::lossless(inside));
        Occurrence::new(Place::whole(plugin.file), message, path(plugin).as_bytes()).with_help(help)
    });
    several::report(sink.about(Subject::Tree), occurrences);
}

/// Returns whether a runtime takes the directory for a plugin only if a user names it.
fn is_alone(package: &Package) -> bool {
    package.way == Way::Directory
}

/// Returns the names in the entries of each marketplace.
fn entries<'a>(catalog: &'a Catalog, packages: &'a Packages) -> BTreeMap<usize, BTreeSet<&'a str>> {
    let all = catalog.parsed.manifests.all.iter().enumerate();
    // One that lists nothing has no packages.
    let lists_nothing = |manifest: &Manifest| {
        let plugins = manifest.content.as_ref().ok().and_then(|json| json.get("plugins"));
        manifest.is_marketplace()
            && plugins.is_some_and(|list| matches!(&list.value, Value::List(all) if all.is_empty()))
    };
    let mut entries: BTreeMap<usize, BTreeSet<&str>> =
        all.filter(|(_, manifest)| lists_nothing(manifest)).map(|(number, _)| (number, BTreeSet::new())).collect();
    for package in &packages.all {
        if let Way::Entry(marketplace, name) = &package.way {
            entries.entry(*marketplace).or_default().insert(name);
        }
    }
    entries
}

/// Returns the manifest of a plugin with its number, if the innermost marketplace around it has no entry of its name: the source of
/// an entry may be another repository.
fn unlisted<'a>(
    catalog: &'a Catalog,
    package: &Package,
    entries: &BTreeMap<usize, BTreeSet<&str>>,
) -> Option<(usize, Unlisted<'a>)> {
    let all = &catalog.parsed.manifests.all;
    let directory: &BStr = package.directory.as_bstr();
    let is_around = |number: &usize| {
        let base = all[*number].base.as_bstr();
        base != directory && roots::is_within(directory, base)
    };
    let marketplace =
        entries.keys().filter(|number| is_around(number)).max_by_key(|number| all[**number].base.len())?;
    let is_named = package.name.as_deref().is_some_and(|name| entries[marketplace].contains(name));
    let number = package.manifest.filter(|_| !is_named && !roots::is_packaged(directory))?;
    Some((number, (&all[number], &all[*marketplace])))
}
