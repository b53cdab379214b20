//! Servers, hooks and other programs that a manifest or settings start, and how they are written.

use bstr::BString;
use serde_json::Value;

use super::texts::strings;
use skilltree_skills::manifest;
use skilltree_skills::skill::Power;

/// Keys of a manifest, and the file that means the same without the key.
pub(super) const SERVERS: (&str, &str) = ("mcpServers", ".mcp.json");
pub(super) const HOOKS: (&str, &str) = ("hooks", "hooks/hooks.json");

const LANGUAGES: (&str, &str) = ("lspServers", ".lsp.json");

/// The setting of a plugin that chooses who does the work.
const AGENT: &str = "agent";

/// Events whose hooks may refuse the use of a tool.
const GUARDS: [&str; 7] = [
    "PreToolUse",
    "PermissionRequest",
    "preToolUse",
    "BeforeTool",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
];

/// Reads a definition.
pub(super) type Reader = fn(&Value, &mut Vec<Start>);

/// Returns the parts of a plugin, by key and by file, each with the reader for the runtimes of a manifest.
pub(super) fn parts(manifest: &str) -> [((&'static str, &'static str), Reader); 5] {
    let nested = [".codex-plugin/", "gemini-extension.json", "qwen-extension.json"];
    let hooks = match manifest {
        _ if manifest.starts_with(".cursor-plugin/") => flat_hooks,
        _ if nested.iter().any(|start| manifest.starts_with(start)) => nested_hooks,
        // VS Code loads plugins with any other manifest, and reads both formats.
        _ => hooks,
    };
    [
        (SERVERS, servers),
        (HOOKS, hooks),
        (LANGUAGES, languages),
        (("monitors", "monitors/monitors.json"), monitors),
        (("settings", "settings.json"), settings),
    ]
}

/// Something that a package starts. The definition decides whether two are the same: its arguments and variables count.
pub(super) struct Start {
    pub(super) power: Power,
    pub(super) definition: Value,
    /// The file that says so, if it is not the manifest.
    pub(super) file: Option<BString>,
    /// The script that it runs, from the directory of the package.
    pub(super) script: Option<String>,
    /// Whether it may refuse the use of a tool.
    pub(super) is_guard: bool,
}

impl Start {
    /// Returns the words that are started.
    pub(super) fn words(&self) -> &str {
        match &self.power {
            Power::Hook { runs, .. } | Power::Server { runs, .. } | Power::Program { runs, .. } => runs,
            _ => "",
        }
    }

    /// Takes it as one of the project: its script is below the directory in which the session starts.
    pub(super) fn in_project(self) -> Self {
        let script = manifest::project_script(self.words().split_ascii_whitespace());
        Self { script: script.map(|script| script.trim_start_matches("./").to_owned()), ..self }
    }

    /// Returns that a hook no longer runs.
    pub(super) fn unguarded(&self) -> Option<Power> {
        match &self.power {
            Power::Hook { event, runs } => Some(Power::Unguarded { event: event.clone(), runs: runs.clone() }),
            _ => None,
        }
    }
}

/// Reads servers: `{ NAME: { command, args } }`, also below `mcpServers`.
pub(super) fn servers(value: &Value, starts: &mut Vec<Start>) {
    let servers = value.get(SERVERS.0).unwrap_or(value);
    for (name, server) in servers.as_object().into_iter().flatten() {
        let words = words(server);
        if words.is_empty() {
            continue;
        }
        let script = manifest::script_of(words.iter().copied()).map(str::to_owned);
        let power = Power::Server { name: name.clone(), runs: format!("{}{}", words.join(" "), variables(server)) };
        let definition = without(server, &["type", "timeout", "description", "trust", "autoApprove", "alwaysAllow"]);
        starts.push(Start { power, definition, file: None, script, is_guard: false });
    }
}

/// Returns the words that start something: a command or an address, and the arguments.
fn words(value: &Value) -> Vec<&str> {
    let first = ["command", "url", "httpUrl", "serverUrl"].iter().find_map(|key| value.get(key));
    let arguments = value.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    first.map(|first| strings(first).chain(arguments).collect()).unwrap_or_default()
}

/// Reads language servers: `{ NAME: { command, args } }`, also below `lspServers`.
fn languages(value: &Value, starts: &mut Vec<Start>) {
    let servers = value.get(LANGUAGES.0).unwrap_or(value);
    for (name, server) in servers.as_object().into_iter().flatten() {
        program("language server", name, server, starts);
    }
}

/// Reads monitors: `[{ name, command }]`.
fn monitors(value: &Value, starts: &mut Vec<Start>) {
    for monitor in value.as_array().into_iter().flatten() {
        let name = monitor.get("name").and_then(Value::as_str).unwrap_or_default();
        program("monitor", name, monitor, starts);
    }
}

pub(super) fn program(kind: &'static str, name: &str, value: &Value, starts: &mut Vec<Start>) {
    let words = words(value).join(" ");
    if value.get("command").is_none() || words.is_empty() {
        return;
    }
    let script = manifest::script(&words).map(str::to_owned);
    let power = Power::Program { kind, name: name.to_owned(), runs: format!("{words}{}", variables(value)) };
    let definition = without(value, &["description"]);
    starts.push(Start { power, definition, file: None, script, is_guard: false });
}

/// Reads a task that runs on an event: `{ command, args }`.
pub(super) fn task(event: &str, value: &Value, starts: &mut Vec<Start>) {
    let runs = words(value).join(" ");
    if !runs.is_empty() {
        let power = Power::Hook { event: event.to_owned(), runs };
        starts.push(Start { power, definition: value.clone(), file: None, script: None, is_guard: false });
    }
}

/// Reads the settings of a plugin: `{ agent: NAME }`.
fn settings(value: &Value, starts: &mut Vec<Start>) {
    if let Some(agent) = value.get(AGENT).and_then(Value::as_str) {
        let power = Power::Setting { key: AGENT, value: agent.to_owned() };
        starts.push(Start { power, definition: Value::Null, file: None, script: None, is_guard: false });
    }
}

/// Returns an object without the keys that grant nothing.
fn without(value: &Value, keys: &[&str]) -> Value {
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, _| !keys.contains(&key.as_str()));
    }
    value
}

/// Describes the variables and the headers of a server: ` with NODE_OPTIONS`. Their values can be secret.
fn variables(server: &Value) -> String {
    let all = ["env", "environment", "headers"].into_iter().filter_map(|key| server.get(key)?.as_object()).flatten();
    let helper = server.get("headersHelper").and_then(Value::as_str).map(|helper| format!("headersHelper={helper}"));
    let words: Vec<String> = all.map(|(name, _)| name.clone()).chain(helper).collect();
    if words.is_empty() { String::new() } else { format!(" with {}", words.join(", ")) }
}

/// How an event lists its hooks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `[{ matcher, hooks: [{ command }] }]`
    Nested,
    /// `[{ matcher, command }]`
    Flat,
    Either,
}

/// Reads hooks of a runtime that reads either format.
pub(super) fn hooks(value: &Value, starts: &mut Vec<Start>) {
    read_hooks(value, Shape::Either, starts);
}

/// Reads hooks of a runtime that ignores an entry without `hooks`, such as Claude Code.
pub(super) fn nested_hooks(value: &Value, starts: &mut Vec<Start>) {
    read_hooks(value, Shape::Nested, starts);
}

/// Reads hooks of a runtime that takes the command from the entry itself, such as Cursor.
pub(super) fn flat_hooks(value: &Value, starts: &mut Vec<Start>) {
    read_hooks(value, Shape::Flat, starts);
}

/// Reads hooks by event, also below `hooks`.
fn read_hooks(value: &Value, shape: Shape, starts: &mut Vec<Start>) {
    let events = value.get(HOOKS.0).filter(|events| events.is_object()).unwrap_or(value);
    for (event, entries) in events.as_object().into_iter().flatten() {
        for entry in entries.as_array().into_iter().flatten() {
            let matcher = entry.get("matcher").and_then(Value::as_str).unwrap_or_default();
            let label = if matcher.is_empty() { event.clone() } else { format!("{event}({matcher})") };
            let inner = match (entry.get(HOOKS.0).and_then(Value::as_array), shape) {
                (Some(inner), Shape::Nested | Shape::Either) => inner.as_slice(),
                (None, Shape::Nested) => &[],
                _ => std::slice::from_ref(entry),
            };
            for (hook, runs) in inner.iter().flat_map(|hook| runs(hook).map(move |runs| (hook, runs))) {
                // What runs on the side refuses nothing.
                let is_guard = GUARDS.contains(&event.as_str()) && hook.get("async") != Some(&Value::Bool(true));
                let script = manifest::script(runs).map(str::to_owned);
                let power = Power::Hook { event: label.clone(), runs: runs.to_owned() };
                let definition = without(hook, &["matcher", "timeout", "timeoutSec", "timeout_ms", "statusMessage"]);
                starts.push(Start { power, definition, file: None, script, is_guard });
            }
        }
    }
}

/// Returns what a hook runs. One can have a command for each shell.
fn runs(hook: &Value) -> impl Iterator<Item = &str> {
    let text = |key: &&str| hook.get(*key).and_then(Value::as_str);
    let first = ["command", "url", "prompt"].iter().find_map(text);
    let of_shells: Vec<&str> = ["bash", "powershell"].iter().filter_map(text).filter(|_| first.is_none()).collect();
    first.into_iter().chain(of_shells)
}
