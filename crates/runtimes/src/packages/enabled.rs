//! Packages that join the list of the project that they are in: those in its skills directory, and those that its settings enable.

use bstr::{BString, ByteSlice};

use super::find::PROJECT;
use super::{Package, Packages, Way};
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, Manifests};

/// The manifest that enables packages.
const SETTINGS: &str = ".claude/settings.json";

impl Packages {
    /// Returns the packages that a project has from the start, with its directory, in the order of [`Self::all`].
    pub(crate) fn of_projects(&self, manifests: &Manifests) -> Vec<(BString, &Package)> {
        let enabled = enabled(manifests);
        let joins = |package: &Package| match &package.way {
            Way::Project => Some(project(package)),
            Way::Entry(market, name) => {
                let found = enabled.iter().find(|known| known.marketplace == *market && known.plugin == *name);
                found.map(|known| known.base.clone())
            }
            _ => None,
        };
        self.all.iter().filter_map(|package| Some((joins(package)?, package))).collect()
    }
}

/// Returns the project whose skills directory holds a package.
fn project(package: &Package) -> BString {
    let above = text::parent(package.directory.as_bstr());
    let base = above.strip_suffix(PROJECT.1.as_bytes()).unwrap_or_default();
    base.strip_suffix(b"/").unwrap_or(base).into()
}

/// A plugin that the settings of a project enable.
struct Enabled<'a> {
    /// The directory of the project.
    base: BString,
    /// The marketplace, by its number among all manifests.
    marketplace: usize,
    plugin: &'a str,
}

fn enabled(manifests: &Manifests) -> Vec<Enabled<'_>> {
    let mut found = Vec::new();
    for settings in manifests.all.iter().filter(|manifest| manifest.name == SETTINGS) {
        let Ok(json) = &settings.content else { continue };
        let plugins = json.get("enabledPlugins").map(Json::members).unwrap_or_default();
        for member in plugins.iter().filter(|member| member.value.value == Value::Boolean(true)) {
            let Some((plugin, market)) = member.key.split_once('@') else { continue };
            let known = json.get("extraKnownMarketplaces").and_then(|markets| markets.get(market)?.get("source"));
            let directory = known.filter(|source| source.get("source").and_then(Json::text) == Some("directory"));
            let path = directory.and_then(|source| source.get("path")?.text());
            let Some(path) = path.and_then(|path| manifest::below(settings.base.as_bstr(), path)) else { continue };
            let is_named = |json: &Json| json.get("name").and_then(Json::text) == Some(market);
            let marketplace = manifests.all.iter().position(|manifest| {
                manifest.is_marketplace() && manifest.base == path && manifest.content.as_ref().is_ok_and(is_named)
            });
            found.extend(marketplace.map(|marketplace| Enabled { base: settings.base.clone(), marketplace, plugin }));
        }
    }
    found
}
