//! Manifests of plugins: the skills that `plugin.json` and `marketplace.json` name. They are read with care and never reported:
//! their faults are for the programs that install plugins.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use super::find::Finder;
use super::store::{self, Content, Spot};
use super::{CONFIG_BYTES, Error};
use crate::roots;
use crate::text;

/// Maximum manifests that are read (ours: 10,000).
const MANIFESTS: usize = 10_000;

/// Returns the skills directories that manifests name. `skills` are all SKILL.md files, sorted.
pub(super) fn directories(
    finder: &mut Finder<'_>,
    manifests: &[Spot],
    skills: &[BString],
) -> Result<BTreeSet<BString>, Error> {
    let mut named = BTreeSet::new();
    for manifest in manifests.iter().take(MANIFESTS) {
        let Content::Bytes { bytes, .. } = finder.content(manifest, CONFIG_BYTES)? else { continue };
        let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let base = text::parent(text::parent(manifest.path.as_bstr()));
        add_plugin(base, &value, &mut named);
        let folder = value.pointer("/metadata/pluginRoot").and_then(Value::as_str).unwrap_or_default();
        for plugin in value.get("plugins").and_then(Value::as_array).into_iter().flatten() {
            let source = plugin.get("source").and_then(Value::as_str);
            if let Some(base) = source.and_then(|source| below(base, folder, source)) {
                add_plugin(base.as_bstr(), plugin, &mut named);
            }
        }
    }
    // A manifest names single skills as well as directories of skills.
    let is_skill = |path: &BString| skills.binary_search(&store::join(path.as_bstr(), BStr::new("SKILL.md"))).is_ok();
    Ok(named
        .into_iter()
        .map(|path| if is_skill(&path) { text::parent(path.as_bstr()).to_owned() } else { path })
        .collect())
}

/// Adds the skills of a plugin in a directory: `skills/`, and what its `skills` names.
fn add_plugin(base: &BStr, plugin: &Value, named: &mut BTreeSet<BString>) {
    named.insert(store::join(base, BStr::new("skills")));
    let skills = match plugin.get("skills") {
        Some(Value::Array(skills)) => skills.as_slice(),
        Some(skill) => std::slice::from_ref(skill),
        None => &[],
    };
    named.extend(skills.iter().filter_map(Value::as_str).filter_map(|skill| below(base, "", skill)));
}

/// Returns a path below a directory; `None` if it leaves the repository or is a URL.
fn below(base: &BStr, folder: &str, path: &str) -> Option<BString> {
    let relative = format!("{folder}/{path}");
    if path.contains("://") || path.starts_with('/') {
        return None;
    }
    match relative.trim_matches(['.', '/']) {
        "" => Some(base.to_owned()),
        _ => Some(store::join(base, roots::normalise(relative.trim_start_matches('/'))?.as_bytes().as_bstr())),
    }
}
