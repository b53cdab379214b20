//! Packages that join the list of the project that they are in: those in its skills directory, and those that its settings enable.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};

use super::find::PROJECT;
use super::{Package, Packages, Way};
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, Manifests};
use skilltree_skills::roots;

impl Packages {
    /// Returns the packages that a project has from the start, with its directory, in the order of [`Self::all`].
    pub(crate) fn of_projects(&self, manifests: &Manifests) -> Vec<(BString, &Package)> {
        let enabled = enabled(manifests);
        let joins = |package: &Package| match &package.way {
            Way::Project => Some(project(package)),
            Way::Installed => Some(BString::default()),
            Way::Entry(market, name) => enabled.get(&(*market, name.as_str())).map(|base| (*base).to_owned()),
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

/// Returns the plugins that the settings of projects enable, each by its marketplace and its name, with the directory of the first
/// project.
fn enabled(manifests: &Manifests) -> HashMap<(usize, &str), &BStr> {
    let mut found = HashMap::new();
    let mut markets: HashMap<(&BStr, &str), usize> = HashMap::new();
    for (number, manifest) in manifests.all.iter().enumerate().filter(|(_, manifest)| manifest.is_marketplace()) {
        if let Some(name) = manifest.content.as_ref().ok().and_then(|json| json.get("name")?.text()) {
            markets.entry((manifest.base.as_bstr(), name)).or_insert(number);
        }
    }
    for settings in manifests.all.iter().filter(|manifest| roots::is_claude_settings(&manifest.name)) {
        let Ok(json) = &settings.content else { continue };
        let known = json.get(manifest::MARKETPLACES).map(Json::members).unwrap_or_default();
        let known = known.iter().filter_map(|member| {
            let source = member.value.get("source")?;
            let is_directory = source.get("source").and_then(Json::text) == Some("directory");
            let path = source.get("path").and_then(Json::text).filter(|_| is_directory)?;
            let base = manifest::below(settings.base.as_bstr(), path)?;
            Some((member.key.as_str(), *markets.get(&(base.as_bstr(), member.key.as_str()))?))
        });
        let known: HashMap<&str, usize> = known.collect();
        let plugins = json.get(manifest::ENABLED).map(Json::members).unwrap_or_default();
        for member in plugins.iter().filter(|member| member.value.value == Value::Boolean(true)) {
            let Some((plugin, market)) = member.key.split_once('@') else { continue };
            if let Some(&number) = known.get(market) {
                found.entry((number, plugin)).or_insert(settings.base.as_bstr());
            }
        }
    }
    found
}
