//! What the settings of Claude Code in the repository, and its MCP servers, newly allow.

use std::collections::BTreeSet;

use bstr::ByteSlice;
use serde_json::Value;

use super::packages;
use super::sessions::Session;
use super::starts::{self, HOOKS, SERVERS, Start};
use super::texts::{self, Found};
use super::tools;
use crate::changes::Read;
use skilltree_skills::manifest;
use skilltree_skills::roots::{CLAUDE_SETTINGS, LOCAL_SETTINGS};
use skilltree_skills::skill::{Gain, Power};
use skilltree_skills::source::{Error, Source};

/// Settings with one value that says what runs, or what is no longer asked for.
const SETTINGS: [&str; 23] = [
    "permissions.defaultMode",
    "agent",
    "disableAllHooks",
    "enableAllProjectMcpServers",
    "skipAutoPermissionPrompt",
    "skipDangerousModePermissionPrompt",
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "fileSuggestion.command",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "proxyAuthHelper",
    "statusLine.command",
    "subagentStatusLine.command",
    "sandbox.allowAppleEvents",
    "sandbox.allowNestedUserNamespaces",
    "sandbox.autoAllowBashIfSandboxed",
    "sandbox.enableWeakerNestedSandbox",
    "sandbox.enableWeakerNetworkIsolation",
    "sandbox.filesystem.disabled",
    "sandbox.network.allowAllUnixSockets",
    "sandbox.network.allowLocalBinding",
];

/// Lists whose items each allow something.
const LISTS: [&str; 8] = [
    "enabledMcpjsonServers",
    "permissions.additionalDirectories",
    "sandbox.excludedCommands",
    "sandbox.filesystem.allowRead",
    "sandbox.filesystem.allowWrite",
    "sandbox.network.allowMachLookup",
    "sandbox.network.allowUnixSockets",
    "sandbox.network.allowedDomains",
];

/// Lists whose items each protect.
const DENIED: [&str; 4] = [
    "disabledMcpjsonServers",
    "sandbox.filesystem.denyRead",
    "sandbox.filesystem.denyWrite",
    "sandbox.network.deniedDomains",
];

/// Objects whose members each allow something.
const TABLES: [&str; 3] = ["enabledPlugins", "env", "extraKnownMarketplaces"];

/// Settings that protect. What is wrong is another value than that of the base.
const PROTECTIONS: [&str; 11] = [
    "disableAutoMode",
    "disableSkillShellExecution",
    "permissions.blockReadsOutsideWorkingDirectories",
    "permissions.blockWritesOutsideWorkingDirectories",
    "permissions.denyInsteadOfPrompting",
    "permissions.disableAutoMode",
    "permissions.disableBypassPermissionsMode",
    HELD,
    "sandbox.enabled",
    "sandbox.failIfUnavailable",
    "sandbox.network.strictAllowlist",
];

/// The setting that protects if it is `false`.
const HELD: &str = "sandbox.allowUnsandboxedCommands";

/// Key of settings that hide skills, and the values with which the model cannot start one.
const HIDDEN: (&str, [&str; 2]) = ("skillOverrides", ["off", "user-invocable-only"]);

/// The files that are read here.
pub(super) const FILES: [&str; 3] = [CLAUDE_SETTINGS, LOCAL_SETTINGS, SERVERS.1];

/// Returns what the settings for a session newly allow. In the directory of a plugin, the servers are those of the plugin.
pub(super) fn gains(head: Read<'_>, base: Read<'_>, session: &Session, is_plugin: bool) -> Result<Vec<Gain>, Error> {
    let mut gains = of_settings(head, base, session)?;
    if let Some(path) = session.path(SERVERS.1).filter(|_| !is_plugin) {
        let path = path.as_bstr();
        let (own, old) = (texts::found(head.0, path)?, texts::found(base.0, path)?);
        if let Some(large) = texts::unread(&own, &old) {
            gains.push(session.gain(path, large.unread(path)));
            return Ok(gains);
        }
        let servers = |found: &Found| started(true, &found.json().unwrap_or_default());
        let found = packages::of_session(session, (head, servers(&own)), (base, servers(&old)))?;
        gains.extend(found.into_iter().map(|power| session.gain(path, power)));
    }
    Ok(gains)
}

/// Returns what the settings for a session start.
pub(super) fn starts(source: &Source, session: &Session) -> Result<Vec<Start>, Error> {
    let mut starts = Vec::new();
    for name in FILES {
        let Some(path) = session.path(name) else { continue };
        let value = texts::json(source, path.as_bstr())?.unwrap_or_default();
        starts.extend(started(name == SERVERS.1, &value));
    }
    Ok(starts)
}

/// Returns what the settings of Claude Code newly allow. A key that only moves from one of the two files to the other grants nothing.
fn of_settings(head: Read<'_>, base: Read<'_>, session: &Session) -> Result<Vec<Gain>, Error> {
    let files: [&'static str; 2] = [CLAUDE_SETTINGS, LOCAL_SETTINGS];
    let mut gains = Vec::new();
    let (mut own, mut old) = (Value::Null, Value::Null);
    let mut changed = None;
    for name in files {
        let Some(path) = session.path(name) else { continue };
        let path = path.as_bstr();
        let (found, known) = (texts::found(head.0, path)?, texts::found(base.0, path)?);
        if let Some(large) = texts::unread(&found, &known) {
            gains.push(session.gain(path, large.unread(path)));
            continue;
        }
        let (after, before) = (found.json(), known.json());
        if after != before {
            changed.get_or_insert(name);
            // Claude Code 2.1.332 ignores a file of settings that is not JSON.
            if after.is_none() && found.text().is_some() {
                gains.push(session.gain(path, Power::Ignored(name)));
            }
        }
        own = merged(own, after.unwrap_or_default());
        old = merged(old, before.unwrap_or_default());
    }
    let mut found = packages::of_session(session, (head, started(false, &own)), (base, started(false, &old)))?;
    if own != old {
        settings(&own, &old, &mut found);
        found.extend(shown_skills(&own, &old));
    }
    let path = manifest::join(session.directory.as_bstr(), changed.unwrap_or(CLAUDE_SETTINGS));
    gains.extend(found.into_iter().map(|power| session.gain(path.as_bstr(), power)));
    Ok(gains)
}

/// Returns what Claude Code 2.1.332 makes of two files of settings: lists are joined, and of two values the one of the second file
/// counts.
pub(super) fn merged(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            for (key, value) in second {
                let known = first.remove(&key).unwrap_or_default();
                first.insert(key, merged(known, value));
            }
            Value::Object(first)
        }
        (Value::Array(mut first), Value::Array(second)) => {
            first.extend(second);
            Value::Array(first)
        }
        (first, Value::Null) => first,
        (_, second) => second,
    }
}

/// Returns what a file starts.
fn started(of_servers: bool, value: &Value) -> Vec<Start> {
    let mut starts = Vec::new();
    match of_servers {
        true => starts::servers(value, &mut starts),
        false => value.get(HOOKS.0).iter().for_each(|value| starts::nested_hooks(value, &mut starts)),
    }
    starts
}

fn settings(own: &Value, old: &Value, powers: &mut Vec<Power>) {
    let lists = |key: &str| (strings(own, key), strings(old, key));
    let (allowed, known) = lists("permissions.allow");
    powers.extend(tools::uncovered(allowed, &known).into_iter().map(|tool| Power::Tool(tool.to_owned())));
    let (denied, before) = lists("permissions.deny");
    let (asked, asked_before) = lists("permissions.ask");
    powers.extend(tools::uncovered(before, &denied).into_iter().map(|tool| Power::Undenied(tool.to_owned())));
    let still = [asked, denied].concat();
    powers.extend(tools::uncovered(asked_before, &still).into_iter().map(|tool| Power::Unasked(tool.to_owned())));
    values(own, old, powers);
    for (keys, is_gain) in [(LISTS.as_slice(), true), (DENIED.as_slice(), false)] {
        for &key in keys {
            let (after, before) = if is_gain { (own, old) } else { (old, own) };
            let known: BTreeSet<&str> = strings(before, key).into_iter().collect();
            let new: BTreeSet<&str> = strings(after, key).into_iter().filter(|item| !known.contains(item)).collect();
            let power = |value: &str| match is_gain {
                true => Power::Setting { key, value: value.to_owned() },
                false => Power::Unset { key, value: value.to_owned() },
            };
            powers.extend(new.into_iter().map(power));
        }
    }
    tables(own, old, powers);
}

/// Returns the strings of a list.
fn strings<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    at(value, key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn is_on(value: &Value) -> bool {
    *value != Value::Bool(false)
}

fn values(own: &Value, old: &Value, powers: &mut Vec<Power>) {
    for key in SETTINGS {
        if let Some(value) = at(own, key).filter(|value| is_on(value)).filter(|value| at(old, key) != Some(value)) {
            powers.push(Power::Setting { key, value: written(value) });
        }
    }
    for key in PROTECTIONS {
        if at(old, key).is_some_and(|value| is_on(value) == (key != HELD)) && at(own, key) != at(old, key) {
            powers.extend(at(old, key).map(|value| Power::Unset { key, value: written(value) }));
        }
    }
}

fn tables(own: &Value, old: &Value, powers: &mut Vec<Power>) {
    for key in TABLES {
        for (name, value) in own.get(key).and_then(Value::as_object).into_iter().flatten() {
            let known = old.get(key).and_then(|old| old.get(name));
            if known != Some(value) && is_on(value) {
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

/// Returns the value at a path of keys, or of the key that is the whole path.
pub(super) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    value.get(path).or_else(|| path.split('.').try_fold(value, |value, key| value.get(key)))
}

pub(super) fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
