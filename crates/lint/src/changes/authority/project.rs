//! What the settings of Claude Code in the repository, and its MCP servers, newly allow.

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use super::packages::{self, SERVERS, Start};
use super::tools;
use crate::changes::Read;
use skilltree_front_matter::text::Place;
use skilltree_skills::manifest::Manifest;
use skilltree_skills::roots::CLAUDE_SETTINGS;
use skilltree_skills::skill::{Gain, Power};
use skilltree_skills::source::Error;

/// Settings with one value that says what runs, or what is no longer asked for.
const SETTINGS: [&str; 7] = [
    "permissions.defaultMode",
    "enableAllProjectMcpServers",
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "otelHeadersHelper",
    "statusLine.command",
];

/// Objects whose members each allow something.
const TABLES: [&str; 3] = ["enabledPlugins", "env", "extraKnownMarketplaces"];

/// Returns what the project newly allows, at the top of the repository.
pub(super) fn gains(head: Read<'_>, base: Read<'_>) -> Result<Vec<Gain>, Error> {
    let mut gains = Vec::new();
    for manifest in head.1.parsed.manifests.all.iter().filter(|manifest| manifest.base.is_empty()) {
        let read: fn(&Value, Option<&Value>) -> Vec<Power> = match manifest.name.as_ref() {
            CLAUDE_SETTINGS => settings,
            // Next to a manifest, the servers are those of the plugin.
            name if name == SERVERS.1 && !is_plugin(head) => servers,
            _ => continue,
        };
        let path: &BStr = manifest.name.as_bytes().as_bstr();
        let Some(own) = packages::json(head.0, path)? else { continue };
        let old = packages::json(base.0, path)?;
        gains.extend(read(&own, old.as_ref()).into_iter().map(|power| gain(manifest, path, power)));
    }
    Ok(gains)
}

fn is_plugin(head: Read<'_>) -> bool {
    let mut all = head.1.parsed.manifests.all.iter();
    all.any(|manifest| manifest.base.is_empty() && manifest.name.ends_with("plugin.json"))
}

fn gain(manifest: &Manifest, path: &BStr, power: Power) -> Gain {
    Gain { skill: None, name: String::new(), path: path.to_owned(), place: Place::whole(manifest.file), power }
}

fn servers(own: &Value, old: Option<&Value>) -> Vec<Power> {
    let servers = |value| starts(value, packages::servers);
    packages::started(&servers(old), &servers(Some(own))).collect()
}

fn settings(own: &Value, old: Option<&Value>) -> Vec<Power> {
    let mut powers = Vec::new();
    let of = |value: Option<&Value>, key: &str| -> Vec<String> {
        let list = value.and_then(|value| at(value, key)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (allowed, known) = (of(Some(own), "permissions.allow"), of(old, "permissions.allow"));
    let is_new = |tool: &&String| !known.iter().any(|known| tools::covers(known, tool));
    powers.extend(allowed.iter().filter(is_new).map(|tool| Power::Tool(tool.clone())));
    let (denied, before) = (of(Some(own), "permissions.deny"), of(old, "permissions.deny"));
    let is_free = |tool: &&String| !denied.iter().any(|denied| tools::covers(denied, tool));
    powers.extend(before.iter().filter(is_free).map(|tool| Power::Undenied(tool.clone())));
    let hooks = |value: Option<&Value>| starts(value.and_then(|value| value.get(packages::HOOKS.0)), packages::hooks);
    let (started, before) = (hooks(Some(own)), hooks(old));
    powers.extend(packages::started(&before, &started));
    powers.extend(packages::lost_guards(&before, &started));
    for key in SETTINGS {
        let value = at(own, key);
        if let Some(value) =
            value.filter(|value| **value != Value::Bool(false) && old.and_then(|old| at(old, key)) != Some(value))
        {
            powers.push(Power::Setting { key, value: written(value) });
        }
    }
    for key in TABLES {
        for (name, value) in own.get(key).and_then(Value::as_object).into_iter().flatten() {
            let known = old.and_then(|old| old.get(key)?.get(name));
            if known != Some(value) && *value != Value::Bool(false) {
                let value = if key == "env" { format!("{name}={}", written(value)) } else { name.clone() };
                powers.push(Power::Setting { key, value });
            }
        }
    }
    powers
}

/// Returns what a definition starts.
fn starts(value: Option<&Value>, read: fn(&Value, &mut Vec<Start>)) -> Vec<Start> {
    let mut starts = Vec::new();
    value.iter().for_each(|value| read(value, &mut starts));
    starts
}

fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
