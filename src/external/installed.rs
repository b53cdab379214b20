//! Installed plugins of the user: those that Claude Code and Codex have enabled in the home directory.
#![allow(clippy::disallowed_methods, reason = "the caller asks for the home directory")]

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use serde_json::Value;
use skilltree_git::Volume;
use skilltree_skills::roots::Owner;
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::Source;

/// Maximum installed plugins of a runtime (ours: 1,000).
const PLUGINS: usize = 1_000;

/// Maximum versions of a plugin that are looked at (ours: 64).
const VERSIONS: usize = 64;

/// A plugin that is installed and enabled.
struct Plugin {
    /// The path to show, without the directory of skills.
    shown: String,
    place: PathBuf,
    name: String,
}

/// Returns the skills directories of the plugins that are enabled in a home directory. A setting that cannot be read enables none.
pub(super) fn volumes(home: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<Volume> {
    let settings = skilltree_git::top(home);
    let of = |id: &'static str, plugins: fn(&Source, &Path) -> Option<Vec<Plugin>>| {
        let plugins = if is_wanted(id) { plugins(&settings, home).unwrap_or_default() } else { Vec::new() };
        plugins.into_iter().take(PLUGINS).map(move |plugin| (id, plugin))
    };
    let plugins = of("claude-code", of_claude).chain(of("codex", of_codex));
    let volume = |(id, plugin): (&str, Plugin)| Volume {
        shown: format!("{}/skills", plugin.shown),
        place: plugin.place.join("skills"),
        owner: Owner::User,
        profile: id.to_owned(),
        depth: None,
        follows_links: false,
        within: Some(home.to_owned()),
        package: Some(plugin.name),
    };
    plugins.map(volume).collect()
}

fn text(settings: &Source, path: &str) -> Option<Vec<u8>> {
    match settings.file(BStr::new(path)).ok()??.body {
        Body::Text(bytes) => Some(bytes),
        _ => None,
    }
}

/// Returns the plugins that Claude Code has enabled for the user: where they are installed is in a file of its own.
fn of_claude(settings: &Source, home: &Path) -> Option<Vec<Plugin>> {
    let own: Value = serde_json::from_slice(&text(settings, ".claude/settings.json")?).ok()?;
    let installed: Value = serde_json::from_slice(&text(settings, ".claude/plugins/installed_plugins.json")?).ok()?;
    let enabled = own.get("enabledPlugins")?.as_object()?;
    let plugin = |(key, _): (&String, &Value)| {
        let entry = installed.get("plugins")?.get(key)?;
        // An older version has one object instead of a list.
        let entry = entry.get(0).unwrap_or(entry);
        let place = PathBuf::from(entry.get("installPath")?.as_str()?);
        let below = place.strip_prefix(home).ok().and_then(Path::to_str);
        let shown = below.map_or_else(|| format!("~/.claude/plugins/{key}"), |below| format!("~/{below}"));
        let name = own_name(&place).unwrap_or_else(|| key.split('@').next().unwrap_or_default().to_owned());
        Some(Plugin { shown, place, name })
    };
    Some(enabled.iter().filter(|(_, value)| **value == Value::Bool(true)).filter_map(plugin).collect())
}

/// Returns the plugins that Codex has enabled: they are copied to its cache, one directory for each version.
fn of_codex(settings: &Source, home: &Path) -> Option<Vec<Plugin>> {
    let own = text(settings, ".codex/config.toml")?;
    let own: toml::Table = toml::from_str(own.to_str().ok()?).ok()?;
    let is_name = |name: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain)
    };
    let plugin = |(key, value): (&String, &toml::Value)| {
        let (name, market) = key.split_once('@').filter(|(name, market)| is_name(name) && is_name(market))?;
        let below = format!(".codex/plugins/cache/{market}/{name}");
        let versions = fs::read_dir(home.join(&below)).ok()?.take(VERSIONS).flatten();
        let versions = versions.filter_map(|entry| entry.file_name().into_string().ok());
        let version = versions.filter(|version| is_name(version)).max()?;
        let is_enabled = value.get("enabled").is_none_or(|enabled| *enabled == toml::Value::Boolean(true));
        let place = home.join(&below).join(&version);
        let name = own_name(&place).unwrap_or_else(|| name.to_owned());
        is_enabled.then(|| Plugin { shown: format!("~/{below}/{version}"), place, name })
    };
    Some(own.get("plugins")?.as_table()?.iter().filter_map(plugin).collect())
}

/// Returns the name in the manifest of a plugin.
fn own_name(plugin: &Path) -> Option<String> {
    let manifests = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];
    let source = skilltree_git::top(plugin);
    let manifest = manifests.iter().find_map(|path| text(&source, path))?;
    let manifest: Value = serde_json::from_slice(&manifest).ok()?;
    Some(manifest.get("name")?.as_str()?.to_owned())
}
