//! Servers and hooks that a plugin manifest, or a file next to it, starts.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use crate::changes::Read;
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::manifest::{self, Manifest};
use skilltree_skills::skill::{Gain, Power};
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::{Error, Source};

/// Keys of a manifest, and the file that means the same without the key.
const SERVERS: (&str, &str) = ("mcpServers", ".mcp.json");
const HOOKS: (&str, &str) = ("hooks", "hooks/hooks.json");

/// Reads a definition.
type Reader = fn(&Value, &mut Vec<Start>);

/// The files that a plugin has without a key, each with its reader.
const FILES: [(&str, Reader); 2] = [(SERVERS.1, servers), (HOOKS.1, hooks)];

/// The manifest of a plugin.
const OWN_MANIFEST: &str = ".claude-plugin/plugin.json";

/// Returns what the packages newly start.
pub(super) fn gains(head: Read<'_>, base: Read<'_>) -> Result<Vec<Gain>, Error> {
    let paths = |read: Read<'_>| -> BTreeMap<BString, BString> {
        let all = read.1.parsed.manifests.all.iter();
        let all = all.filter(|manifest| manifest.part.is_none());
        all.map(|manifest| (read.1.file(manifest.file).path.clone(), manifest.base.clone())).collect()
    };
    let before = paths(base);
    let mut gains = Vec::new();
    // Several manifests of one package, one per runtime, name the same files.
    let mut known: BTreeSet<(BString, String)> = BTreeSet::new();
    for manifest in head.1.parsed.manifests.all.iter().filter(|manifest| manifest.part.is_none()) {
        let path = &head.1.file(manifest.file).path;
        let own = packages(head.0, path.as_bstr(), manifest.base.as_bstr())?;
        let other = match before.get(path) {
            Some(directory) => packages(base.0, path.as_bstr(), directory.as_bstr())?,
            None => BTreeMap::new(),
        };
        for (name, starts) in own {
            let started = other.get(&name).map(|starts| starts.as_slice()).unwrap_or_default();
            for start in starts.into_iter().filter(|start| !started.contains(start)) {
                if known.insert((manifest.base.clone(), format!("{name} {}", start.power))) {
                    gains.push(gain(manifest, path.as_bstr(), &name, start.power));
                }
            }
        }
    }
    Ok(gains)
}

fn gain(manifest: &Manifest, path: &BStr, name: &str, power: Power) -> Gain {
    let name = text::shortened(name, 64).into_owned();
    Gain { skill: None, name, path: path.to_owned(), place: Place::whole(manifest.file), power }
}

/// Something that a package starts. The definition decides whether two are the same: its arguments and variables count.
#[derive(PartialEq)]
struct Start {
    power: Power,
    definition: Value,
}

/// Returns what the packages of a manifest start, by name: of the package, or of each entry of a marketplace.
fn packages(source: &Source, path: &BStr, directory: &BStr) -> Result<BTreeMap<String, Vec<Start>>, Error> {
    let mut found = BTreeMap::new();
    let Some(top) = json(source, path)? else { return Ok(found) };
    let named = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    for entry in top.get("plugins").and_then(Value::as_array).into_iter().flatten() {
        let mut starts = Vec::new();
        inline(entry.get(SERVERS.0), servers, &mut starts);
        inline(entry.get(HOOKS.0), hooks, &mut starts);
        let place = entry.get("source").and_then(Value::as_str).and_then(|path| manifest::below(directory, path));
        // A plugin with a manifest of its own is read there.
        if let Some(place) = place
            && json(source, manifest::join(place.as_bstr(), OWN_MANIFEST).as_bstr())?.is_none()
        {
            for (file, read) in FILES {
                let file = manifest::join(place.as_bstr(), file);
                json(source, file.as_bstr())?.iter().for_each(|value| read(value, &mut starts));
            }
        }
        found.insert(named(entry).unwrap_or_default(), starts);
    }
    if !path.ends_with(b"marketplace.json") {
        let mut starts = Vec::new();
        for ((key, file), read) in [(SERVERS, servers as Reader), (HOOKS, hooks)] {
            inline(top.get(key), read, &mut starts);
            let named = top.get(key).into_iter().flat_map(strings).chain([file]);
            let files: BTreeSet<BString> = named.filter_map(|name| manifest::below(directory, name)).collect();
            for file in files {
                json(source, file.as_bstr())?.iter().for_each(|value| read(value, &mut starts));
            }
        }
        let name = named(&top).unwrap_or_else(|| text::lossless(text::file_name(directory)));
        found.insert(name, starts);
    }
    Ok(found)
}

/// Reads a definition that is written in the manifest itself.
fn inline(value: Option<&Value>, read: Reader, starts: &mut Vec<Start>) {
    value.filter(|value| value.is_object()).iter().for_each(|value| read(value, starts));
}

/// Returns the paths of a value: a string, or the strings of a list.
fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
}

/// Returns the JSON of a file; `None` if there is none.
fn json(source: &Source, path: &BStr) -> Result<Option<Value>, Error> {
    let Some(file) = source.file(path)? else { return Ok(None) };
    let Body::Text(text) = file.body else { return Ok(None) };
    Ok(serde_json::from_slice(&text).ok())
}

/// Reads servers: `{ NAME: { command, args } }`, also below `mcpServers`.
fn servers(value: &Value, starts: &mut Vec<Start>) {
    let servers = value.get(SERVERS.0).unwrap_or(value);
    for (name, server) in servers.as_object().into_iter().flatten() {
        let Some(first) = ["command", "url", "httpUrl"].iter().find_map(|key| server.get(key)?.as_str()) else {
            continue;
        };
        let arguments = server.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let runs = [first].into_iter().chain(arguments).collect::<Vec<_>>().join(" ");
        let power = Power::Server { name: name.clone(), runs };
        starts.push(Start { power, definition: server.clone() });
    }
}

/// Reads hooks: `{ EVENT: [{ matcher, hooks: [{ command }] }] }`, also below `hooks`.
fn hooks(value: &Value, starts: &mut Vec<Start>) {
    let events = value.get(HOOKS.0).filter(|events| events.is_object()).unwrap_or(value);
    for (event, entries) in events.as_object().into_iter().flatten() {
        for entry in entries.as_array().into_iter().flatten() {
            let matcher = entry.get("matcher").and_then(Value::as_str).unwrap_or_default();
            let label = if matcher.is_empty() { event.clone() } else { format!("{event}({matcher})") };
            for hook in entry.get(HOOKS.0).and_then(Value::as_array).into_iter().flatten() {
                let Some(runs) = ["command", "url", "prompt"].iter().find_map(|key| hook.get(key)?.as_str()) else {
                    continue;
                };
                let power = Power::Hook { event: label.clone(), runs: runs.to_owned() };
                starts.push(Start { power, definition: hook.clone() });
            }
        }
    }
}
