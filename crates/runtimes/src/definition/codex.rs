//! Definitions of agents of Codex, in TOML.

use bstr::ByteSlice;
use toml::de::{DeTable, DeValue};

use super::{AboutSkills, FLAWS, Flaw, flaw, table};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_skills::keys;

/// The keys that a definition needs.
const REQUIRED: [&str; 3] = ["name", "description", "developer_instructions"];

/// Own keys of definitions, and settings that they often have. Other settings of the program are keys, too.
const KNOWN: [&str; 8] = [
    REQUIRED[0],
    REQUIRED[1],
    REQUIRED[2],
    "nickname_candidates",
    "model",
    "model_reasoning_effort",
    "sandbox_mode",
    "mcp_servers",
];

/// Keys of agents of other programs that are none here, with the key or the table that does the same.
const FOREIGN: [(&str, &str); 39] = [
    ("allowed-tools", ""),
    ("allowedTools", ""),
    ("allowed_tools", ""),
    ("argument-hint", ""),
    ("background", ""),
    ("body", REQUIRED[2]),
    ("capabilities", ""),
    ("color", ""),
    ("content", REQUIRED[2]),
    ("context", ""),
    ("disallowed-tools", ""),
    ("disallowedTools", ""),
    ("disallowed_tools", ""),
    ("effort", "model_reasoning_effort"),
    ("enabled", ""),
    ("handoffs", ""),
    ("id", "name"),
    ("infer", ""),
    ("isolation", ""),
    ("kind", ""),
    ("maxTurns", ""),
    ("max_turns", ""),
    ("mcp-servers", "mcp_servers"),
    ("mcpServers", "mcp_servers"),
    ("memory", ""),
    ("mode", ""),
    ("permissionMode", "sandbox_mode"),
    ("prompt", REQUIRED[2]),
    ("readonly", ""),
    ("reasoning_effort", "model_reasoning_effort"),
    ("sandbox", "sandbox_mode"),
    ("skill", "skills"),
    ("steps", ""),
    ("systemPrompt", REQUIRED[2]),
    ("system_prompt", REQUIRED[2]),
    ("tags", ""),
    ("temperature", ""),
    ("version", ""),
    ("when_to_use", "description"),
];

/// Keys whose values are tables. A list of names is what agents of other programs have.
const TABLES: [(&str, &str); 4] = [
    ("skills", "remove it: an agent finds the skills of the project; to switch one off, write `[[skills.config]]`"),
    ("tools", "remove it: an agent has the tools of the session; `sandbox_mode = \"read-only\"` keeps it from writing"),
    ("mcp_servers", "write a table for each server: `[mcp_servers.NAME]`"),
    ("hooks", "move them to `.codex/hooks.json`"),
];

const SANDBOXES: [&str; 3] = ["read-only", "workspace-write", "danger-full-access"];

/// Returns why the program does not load a definition.
pub(super) fn flaws(file: FileId, bytes: &[u8]) -> Vec<Flaw> {
    let whole = Place::whole(file);
    let table = match table(file, bytes) {
        Ok(table) => table,
        Err(flaw) => return vec![flaw],
    };
    let mut flaws = Vec::new();
    for key in REQUIRED {
        let value = table.get_ref().iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value.get_ref());
        let is_named = || table.get_ref().iter().any(|(known, _)| meant(known.get_ref()) == Some(key));
        match value {
            None if !is_named() => {
                flaws.push(flaw(whole, format!("it has no `{key}`"), format!("add `{key} = \"…\"`")))
            }
            Some(DeValue::String(text)) if text.trim().is_empty() => {
                flaws.push(flaw(whole, format!("`{key}` is blank"), format!("write a `{key}`")));
            }
            _ => {}
        }
    }
    for (key, value) in table.get_ref() {
        let (name, place) = (key.get_ref().as_ref(), Place::new(file, key.span()));
        let shown = text::shortened(name, 64);
        if KNOWN.contains(&name) || TABLES.iter().any(|(table, _)| *table == name) {
            flaws.extend(value_flaw(name, value.get_ref()).map(|(what, help)| flaw(place, what, help)));
        } else if let Some(meant) = meant(name) {
            let help = if meant.is_empty() { "remove it".to_owned() } else { format!("rename it to `{meant}`") };
            flaws.push(flaw(place, format!("`{shown}` is not a key of its agents"), help));
        }
    }
    flaws.truncate(FLAWS);
    flaws
}

/// Returns the key that one which is none means; empty if none does the same.
fn meant(key: &str) -> Option<&'static str> {
    let foreign = FOREIGN.iter().find(|(known, _)| *known == key).map(|(_, meant)| *meant);
    let is_same = |known: &&&str| keys::is_slip(key, known) || key.replace('-', "_").eq_ignore_ascii_case(known);
    foreign.or_else(|| KNOWN.iter().find(is_same).filter(|known| **known != key).copied())
}

/// Returns what is wrong with a value, and the edit.
fn value_flaw(key: &str, value: &DeValue<'_>) -> Option<(String, String)> {
    if let Some((_, help)) = TABLES.iter().find(|(table, _)| *table == key) {
        return (!matches!(value, DeValue::Table(_))).then(|| (format!("`{key}` is not a table"), (*help).to_owned()));
    }
    match (key, value) {
        ("nickname_candidates", DeValue::Array(_)) => None,
        ("nickname_candidates", _) => {
            Some((format!("`{key}` is not a list"), "write a list of names: `[\"NAME\"]`".to_owned()))
        }
        ("sandbox_mode", DeValue::String(mode)) if !SANDBOXES.contains(&mode.as_ref()) => {
            let near = text::nearest(mode, SANDBOXES).unwrap_or(SANDBOXES[0]);
            Some((format!("`{}` is not a value of `{key}`", text::shortened(mode, 64)), format!("write `\"{near}\"`")))
        }
        (_, DeValue::String(_)) => None,
        _ => Some((format!("`{key}` is not a string"), "write a string".to_owned())),
    }
}

/// Names of the table of servers that are not `mcp_servers`.
const SERVERS: [&str; 4] = ["mcp-servers", "mcpServers", "mcp_server", "mcpservers"];

/// Returns the keys of settings that cost skills or servers, in the order of the file.
pub(super) fn about_skills(file: FileId, bytes: &[u8]) -> Vec<AboutSkills> {
    let Some(table) = bytes.to_str().ok().and_then(|text| DeTable::parse(text).ok()) else { return Vec::new() };
    let servers = table.get_ref().keys().filter(|key| SERVERS.contains(&key.get_ref().as_ref()));
    let servers = servers.map(|key| AboutSkills::Servers(Place::new(file, key.span())));
    let skills = table.get_ref().iter().find(|(key, _)| key.get_ref() == "skills");
    let Some(DeValue::Table(skills)) = skills.map(|(_, skills)| skills.get_ref()) else { return servers.collect() };
    let keys = skills.iter().filter_map(|(key, value)| {
        let place = Place::new(file, key.span());
        match value.get_ref() {
            DeValue::Array(_) if key.get_ref() == "config" => Some(AboutSkills::WithoutEffect(place)),
            DeValue::Boolean(false) if key.get_ref() == "include_instructions" => Some(AboutSkills::Unlisted(place)),
            _ => None,
        }
    });
    servers.chain(keys).collect()
}
