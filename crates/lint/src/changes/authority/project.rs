//! What the settings of Claude Code in the repository, and its MCP servers, newly allow.

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use super::packages::{self, HOOKS, Package, SERVERS, Start};
use super::{NO_FILE, tools};
use crate::changes::Read;
use skilltree_front_matter::text::Place;
use skilltree_skills::manifest;
use skilltree_skills::roots::CLAUDE_SETTINGS;
use skilltree_skills::skill::{Gain, Power};
use skilltree_skills::source::Error;

/// Settings of one person. In the repository they are those of everybody.
const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

/// Settings with one value that says what runs, or what is no longer asked for.
const SETTINGS: [&str; 9] = [
    "permissions.defaultMode",
    "disableAllHooks",
    "enableAllProjectMcpServers",
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "fileSuggestion.command",
    "otelHeadersHelper",
    "statusLine.command",
];

/// Lists whose items each allow something.
const LISTS: [&str; 4] = [
    "enabledMcpjsonServers",
    "permissions.additionalDirectories",
    "sandbox.excludedCommands",
    "sandbox.network.allowedDomains",
];

/// Objects whose members each allow something.
const TABLES: [&str; 3] = ["enabledPlugins", "env", "extraKnownMarketplaces"];

/// Settings that protect. What is wrong is another value than that of the base.
const PROTECTIONS: [&str; 3] =
    ["permissions.disableBypassPermissionsMode", "sandbox.enabled", "disableSkillShellExecution"];

/// Key of settings that hide skills, and the values with which the model cannot start one.
const HIDDEN: (&str, [&str; 2]) = ("skillOverrides", ["off", "user-invocable-only"]);

/// Returns what the project newly allows, at the top of the repository.
pub(super) fn gains(head: Read<'_>, base: Read<'_>) -> Result<Vec<Gain>, Error> {
    let mut gains = Vec::new();
    for name in [CLAUDE_SETTINGS, LOCAL_SETTINGS, SERVERS.1] {
        let path: &BStr = name.as_bytes().as_bstr();
        // Next to a manifest, the servers are those of the plugin.
        if name == SERVERS.1 && is_plugin(head) {
            continue;
        }
        let (own, old) = (packages::json(head.0, path)?, packages::json(base.0, path)?);
        let read = |value: &Option<Value>| value.as_ref().map(|value| starts(name, value)).unwrap_or_default();
        let mut found = powers(head, base, read(&own), read(&old))?;
        if name != SERVERS.1 && own != old {
            // Claude Code 2.1.332 ignores a file of settings that is not JSON.
            if own.is_none() && packages::text_of(head.0, path)?.is_some() {
                found.push(Power::Ignored(name));
            }
            let (own, old) = (own.unwrap_or_default(), old.unwrap_or_default());
            settings(&own, &old, &mut found);
            found.extend(shown_skills(&own, &old));
        }
        gains.extend(found.into_iter().map(|power| gain(path, power)));
    }
    Ok(gains)
}

fn is_plugin(head: Read<'_>) -> bool {
    let mut all = head.1.parsed.manifests.all.iter();
    all.any(|manifest| manifest.base.is_empty() && manifest.name.ends_with("plugin.json"))
}

/// Returns the gain of the project from a file.
fn gain(path: &BStr, power: Power) -> Gain {
    Gain { skill: None, noun: "", name: String::new(), path: path.to_owned(), place: Place::whole(NO_FILE), power }
}

/// Returns what a file starts, with the scripts of the project that it runs.
fn starts(name: &str, value: &Value) -> Vec<Start> {
    let mut starts = Vec::new();
    match name == SERVERS.1 {
        true => packages::servers(value, &mut starts),
        false => value.get(HOOKS.0).iter().for_each(|value| packages::hooks(value, &mut starts)),
    }
    for start in &mut starts {
        start.script = manifest::project_script(start.words().split_ascii_whitespace());
    }
    starts
}

/// Returns what starts differently, and the scripts that do something else.
fn powers(head: Read<'_>, base: Read<'_>, own: Vec<Start>, old: Vec<Start>) -> Result<Vec<Power>, Error> {
    let package = |starts| Package { starts, ..Package::default() };
    let found = packages::powers(head.0, &package(own), base.0, Some(&package(old)))?;
    Ok(found.into_iter().map(|(_, power)| power).collect())
}

fn settings(own: &Value, old: &Value, powers: &mut Vec<Power>) {
    let of = |value: &Value, key: &str| -> Vec<String> {
        let list = at(value, key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let without = |all: Vec<String>, known: &[String]| -> Vec<String> {
        all.into_iter().filter(|tool| !known.iter().any(|known| tools::covers(known, tool))).collect()
    };
    let lists = |key: &str| (of(own, key), of(old, key));
    let (allowed, known) = lists("permissions.allow");
    powers.extend(without(allowed, &known).into_iter().map(Power::Tool));
    let (denied, before) = lists("permissions.deny");
    let (asked, asked_before) = lists("permissions.ask");
    powers.extend(without(before, &denied).into_iter().map(Power::Undenied));
    let still = [asked, denied].concat();
    powers.extend(without(asked_before, &still).into_iter().map(Power::Unasked));
    let is_on = |value: &&Value| **value != Value::Bool(false);
    for key in SETTINGS {
        if let Some(value) = at(own, key).filter(is_on).filter(|value| at(old, key) != Some(value)) {
            powers.push(Power::Setting { key, value: written(value) });
        }
    }
    for key in PROTECTIONS {
        if at(old, key).is_some_and(|value| is_on(&value)) && at(own, key) != at(old, key) {
            powers.extend(at(old, key).map(|value| Power::Unset { key, value: written(value) }));
        }
    }
    for key in LISTS {
        let (items, known) = lists(key);
        let new = items.into_iter().filter(|item| !known.contains(item));
        powers.extend(new.map(|value| Power::Setting { key, value }));
    }
    for key in TABLES {
        for (name, value) in own.get(key).and_then(Value::as_object).into_iter().flatten() {
            let known = old.get(key).and_then(|old| old.get(name));
            if known != Some(value) && is_on(&value) {
                // The value of a variable can be secret.
                let value = match value.get("source") {
                    Some(source) => format!("{name} ({})", packages::from(source)),
                    None => name.clone(),
                };
                powers.push(Power::Setting { key, value });
            }
        }
    }
}

/// Returns the skills that settings no longer keep from the model.
fn shown_skills(own: &Value, old: &Value) -> Vec<Power> {
    let (key, hiding) = HIDDEN;
    let is_hidden = |value: &Value| value.as_str().is_some_and(|value| hiding.contains(&value));
    let hidden = old.get(key).and_then(Value::as_object).into_iter().flatten().filter(|(_, value)| is_hidden(value));
    let shown = hidden.filter(|(name, _)| !own.get(key).and_then(|own| own.get(name.as_str())).is_some_and(is_hidden));
    shown.map(|(name, value)| Power::Unset { key, value: format!("{name}: {}", written(value)) }).collect()
}

fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
