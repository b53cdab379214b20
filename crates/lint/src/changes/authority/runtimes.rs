//! What the settings of other runtimes in the repository newly allow: one table of files and keys.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use super::packages;
use super::profiles;
use super::project;
use super::sessions::Session;
use super::starts::{self, Reader, Start};
use super::texts::{self, Found};
use super::{scripts, tools};
use crate::changes::Read;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::without_comments;
use skilltree_skills::skill::{Gain, Power};
use skilltree_skills::snapshot::Mode;
use skilltree_skills::source::{Error, Source};

/// What a key holds.
#[derive(Clone, Copy)]
enum Part {
    /// Servers of tools, by name.
    Servers,
    /// Hooks, by event.
    Hooks(Reader),
    /// Programs of a kind, by name.
    Programs(&'static str),
    /// A list of tools that are not asked for.
    Tools,
    /// A list of tools that are denied.
    Denied,
    /// Tools and commands, each with whether it is approved.
    Approved,
    /// Tools, each with `allow`, `ask` or `deny`, or with patterns that have one. A tool that is not there is allowed.
    Permissions,
    /// A value that asks for less than these do.
    Value(&'static [&'static str]),
    /// A list whose items each allow something.
    List,
    /// Permission profiles, by name.
    Profiles,
    /// Tasks, some of which run when the directory is opened.
    Tasks,
}

/// The files that hold some settings of a runtime, by path or as `DIRECTORY/*.json`.
struct File {
    paths: &'static [&'static str],
    parts: &'static [(&'static str, Part)],
}

const SERVERS: (&str, Part) = ("mcpServers", Part::Servers);
/// Hooks of a runtime that reads lists of hooks with a matcher, of one that reads the hooks themselves, and of one that reads both.
const NESTED: (&str, Part) = ("hooks", Part::Hooks(starts::nested_hooks));
const FLAT: (&str, Part) = ("hooks", Part::Hooks(starts::flat_hooks));
const HOOKS: (&str, Part) = ("hooks", Part::Hooks(starts::hooks));
const ON: &[&str] = &["false"];

/// The files, as the documentation or the schema of each runtime and public repositories describe them: none was run. Codex ignores `notify` of a project.
const FILES: [File; 15] = [
    File {
        paths: &[".gemini/settings.json"],
        parts: &[
            SERVERS,
            NESTED,
            ("tools.allowed", Part::Tools),
            ("tools.exclude", Part::Denied),
            ("tools.discoveryCommand", Part::Value(&[])),
            ("tools.callCommand", Part::Value(&[])),
            ("general.defaultApprovalMode", Part::Value(&["default", "plan"])),
        ],
    },
    File {
        paths: &[".qwen/settings.json"],
        parts: &[
            SERVERS,
            NESTED,
            ("tools.allowed", Part::Tools),
            ("permissions.allow", Part::Tools),
            ("tools.exclude", Part::Denied),
            ("permissions.deny", Part::Denied),
            ("tools.discoveryCommand", Part::Value(&[])),
            ("tools.callCommand", Part::Value(&[])),
            ("tools.approvalMode", Part::Value(&["default", "plan"])),
        ],
    },
    File {
        paths: &[".codex/config.toml"],
        parts: &[
            ("mcp_servers", Part::Servers),
            NESTED,
            ("approval_policy", Part::Value(&["untrusted", "on-request"])),
            ("sandbox_mode", Part::Value(&["read-only", "workspace-write"])),
            ("sandbox_workspace_write.network_access", Part::Value(ON)),
            ("sandbox_workspace_write.writable_roots", Part::List),
            ("default_permissions", Part::Value(&[":read-only", ":workspace"])),
            (profiles::KEY, Part::Profiles),
        ],
    },
    File { paths: &[".codex/hooks.json"], parts: &[NESTED] },
    File {
        paths: &["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
        parts: &[
            ("mcp", Part::Servers),
            ("lsp", Part::Programs("language server")),
            ("plugin", Part::List),
            ("permission", Part::Permissions),
        ],
    },
    File { paths: &[".cursor/hooks.json"], parts: &[FLAT] },
    File { paths: &[".cursor/mcp.json"], parts: &[SERVERS] },
    File {
        paths: &[".cursor/cli.json"],
        parts: &[("permissions.allow", Part::Tools), ("permissions.deny", Part::Denied)],
    },
    File { paths: &[".vscode/mcp.json"], parts: &[("servers", Part::Servers)] },
    File {
        paths: &[".vscode/settings.json"],
        parts: &[
            ("chat.tools.autoApprove", Part::Value(ON)),
            ("chat.tools.terminal.autoApprove", Part::Approved),
            ("chat.tools.urls.autoApprove", Part::Approved),
            ("chat.tools.edits.autoApprove", Part::Approved),
        ],
    },
    File { paths: &[".vscode/tasks.json"], parts: &[("tasks", Part::Tasks)] },
    File { paths: &[".github/hooks/*.json"], parts: &[HOOKS] },
    File {
        paths: &["crush.json", ".crush.json"],
        parts: &[
            ("mcp", Part::Servers),
            ("lsp", Part::Programs("language server")),
            FLAT,
            ("permissions.allowed_tools", Part::Tools),
        ],
    },
    File { paths: &[".kiro/settings/mcp.json"], parts: &[SERVERS] },
    File { paths: &[".roo/mcp.json"], parts: &[SERVERS] },
];

/// Agents of Kiro, as its documentation describes them: not run.
const AGENTS: File = File { paths: &[".kiro/agents/*.json"], parts: &[SERVERS, FLAT, ("allowedTools", Part::Tools)] };

/// Directories whose files a runtime loads as code.
pub(super) const CODE: [&str; 2] = [".opencode/plugin", ".opencode/plugins"];

/// Returns what the settings of other runtimes newly allow. A key that only moves between the files of one runtime grants nothing.
pub(super) fn gains(head: Read<'_>, base: Read<'_>, session: &Session) -> Result<Vec<Gain>, Error> {
    let mut gains = Vec::new();
    for file in &FILES {
        gains.extend(compared(head, base, file, paths(file, head.0, base.0, session)?, session)?);
    }
    gains.extend(agents(head, base, session)?);
    gains.extend(code(head, base, session)?);
    Ok(gains)
}

/// Returns what files that count together newly allow.
fn compared(
    head: Read<'_>,
    base: Read<'_>,
    file: &File,
    paths: BTreeSet<BString>,
    session: &Session,
) -> Result<Vec<Gain>, Error> {
    let mut gains = Vec::new();
    let (mut own, mut old) = (Value::Null, Value::Null);
    // The first file that changed, or that is there: a script that it runs may have changed.
    let (mut changed, mut present) = (None, None);
    for path in paths {
        let (after, before) = (texts::found(head.0, path.as_bstr())?, texts::found(base.0, path.as_bstr())?);
        if let Some(large) = texts::unread(&after, &before) {
            gains.push(session.gain(path.as_bstr(), large.unread(path.as_bstr())));
            continue;
        }
        let (after, before) = (read(path.as_bstr(), &after), read(path.as_bstr(), &before));
        let is_changed = after != before;
        present = present.or_else(|| after.as_ref().map(|_| path.clone()));
        own = project::merged(own, after.unwrap_or_default());
        old = project::merged(old, before.unwrap_or_default());
        changed = changed.or(Some(path).filter(|_| is_changed));
    }
    if let Some(path) = changed.or(present) {
        let found = powers((head, &own), (base, &old), file, session)?;
        gains.extend(found.into_iter().map(|power| session.gain(path.as_bstr(), power)));
    }
    Ok(gains)
}

/// Returns what agents newly may do, each for itself. One that only moved may do nothing new.
fn agents(head: Read<'_>, base: Read<'_>, session: &Session) -> Result<Vec<Gain>, Error> {
    let mut gains = Vec::new();
    let paths = paths(&AGENTS, head.0, base.0, session)?;
    let is_in = |source: &Source, path: &BString| source.has(path.as_bstr());
    let value = |source: &Source, path: &BString| -> Result<_, Error> {
        Ok(read(path.as_bstr(), &texts::found(source, path.as_bstr())?))
    };
    let mut gone = HashSet::new();
    for path in &paths {
        if !is_in(head.0, path)? {
            gone.extend(value(base.0, path)?);
        }
    }
    for path in paths {
        let is_moved = !is_in(base.0, &path)? && value(head.0, &path)?.is_some_and(|value| gone.contains(&value));
        if is_moved || !is_in(head.0, &path)? {
            continue;
        }
        let name = text::file_name(path.as_bstr());
        let name = text::lossless(name.strip_suffix(b".json").unwrap_or(name).as_bstr());
        let name = text::shortened(&name, 64).into_owned();
        let found = compared(head, base, &AGENTS, BTreeSet::from([path]), session)?;
        gains.extend(found.into_iter().map(|gain| Gain { noun: "agent", name: name.clone(), ..gain }));
    }
    Ok(gains)
}

/// Returns the paths of files with settings, from the directory in which a session starts.
pub(super) fn paths_of_files() -> impl Iterator<Item = &'static str> {
    FILES.iter().chain([&AGENTS]).flat_map(|file| file.paths).copied()
}

/// Returns what the settings for a session start.
pub(super) fn starts(source: &Source, session: &Session) -> Result<Vec<Start>, Error> {
    let mut starts = Vec::new();
    for file in FILES.iter().chain([&AGENTS]) {
        for path in paths(file, source, source, session)? {
            let Some(value) = read(path.as_bstr(), &texts::found(source, path.as_bstr())?) else { continue };
            for &(key, part) in file.parts {
                project::at(&value, key).iter().for_each(|value| start(part, value, &mut starts));
            }
        }
    }
    Ok(starts)
}

/// Returns the paths of the files that either side may have.
fn paths(file: &File, head: &Source, base: &Source, session: &Session) -> Result<BTreeSet<BString>, Error> {
    let mut found = BTreeSet::new();
    for path in file.paths {
        let (directory, end) = path.split_once("/*").unzip();
        let Some(path) = session.path(directory.unwrap_or(path)) else { continue };
        let Some(end) = end else {
            found.insert(path);
            continue;
        };
        let directory = path;
        for source in [head, base] {
            let listed = source.below(&BTreeSet::from([directory.clone()]))?;
            let is_direct = |path: &BString| !path[directory.len() + 1..].contains(&b'/') && path.ends_with_str(end);
            found.extend(listed.into_iter().map(|file| file.path).filter(is_direct));
        }
    }
    Ok(found)
}

/// Reads a file of settings: TOML, or JSON that may have comments.
fn read(path: &BStr, found: &Found) -> Option<Value> {
    let text = found.settings()?.to_str().ok()?;
    match path.ends_with(b".toml") {
        true => toml::from_str(text).ok(),
        false => serde_json::from_str(&without_comments(text)).ok(),
    }
}

fn powers(
    (head, own): (Read<'_>, &Value),
    (base, old): (Read<'_>, &Value),
    file: &File,
    session: &Session,
) -> Result<Vec<Power>, Error> {
    let (mut powers, mut starts, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for &(key, part) in file.parts {
        let (after, before) = (project::at(own, key), project::at(old, key));
        match part {
            Part::Servers | Part::Hooks(_) | Part::Programs(_) | Part::Tasks => {
                after.iter().for_each(|value| start(part, value, &mut starts));
                before.iter().for_each(|value| start(part, value, &mut known));
            }
            Part::Permissions => permissions(after, before, &mut powers),
            Part::Profiles => profiles::changes(after, before, &mut powers),
            Part::Value(safe) => {
                let value = after.filter(|value| !safe.contains(&project::written(value).as_str()));
                if let Some(value) = value.filter(|value| before != Some(value)) {
                    powers.push(Power::Setting { key, value: project::written(value) });
                }
            }
            Part::List => {
                let known: BTreeSet<&str> = before.into_iter().flat_map(texts::strings).collect();
                let new = after.into_iter().flat_map(texts::strings).filter(|item| !known.contains(item));
                powers.extend(new.map(|item| Power::Setting { key, value: item.to_owned() }));
            }
            Part::Denied => {
                let denied: Vec<&str> = after.into_iter().flat_map(texts::strings).collect();
                let free = tools::uncovered(before.into_iter().flat_map(texts::strings), &denied);
                powers.extend(free.into_iter().map(|tool| Power::Undenied(tool.to_owned())));
            }
            Part::Tools | Part::Approved => {}
        }
        let known: Vec<String> = before.into_iter().flat_map(|value| allowed(part, value)).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let tools: Vec<String> = after.into_iter().flat_map(|value| allowed(part, value)).collect();
        let new = tools::uncovered(tools.iter().map(String::as_str), &known);
        powers.extend(new.into_iter().map(|tool| Power::Tool(tool.to_owned())));
    }
    powers.extend(packages::of_session(session, (head, starts), (base, known))?);
    Ok(powers)
}

/// Reads what a value starts.
fn start(part: Part, value: &Value, starts: &mut Vec<Start>) {
    match part {
        Part::Servers => starts::servers(value, starts),
        Part::Hooks(read) => read(value, starts),
        Part::Programs(kind) => {
            for (name, program) in value.as_object().into_iter().flatten() {
                starts::program(kind, name, program, starts);
            }
        }
        Part::Tasks => {
            let tasks = value.as_array().into_iter().flatten();
            for task in tasks.filter(|task| project::at(task, "runOptions.runOn").is_some_and(|on| on == "folderOpen"))
            {
                starts::task("folderOpen", task, starts);
            }
        }
        _ => {}
    }
}

/// Returns the tools that a value allows without asking.
fn allowed(part: Part, value: &Value) -> Vec<String> {
    let members = || value.as_object().into_iter().flatten();
    match part {
        Part::Tools => texts::strings(value).map(str::to_owned).collect(),
        Part::Approved => {
            let is_approved =
                |value: &Value| *value == true || value.get("approve").is_some_and(|value| *value == true);
            members().filter(|(_, value)| is_approved(value)).map(|(name, _)| name.clone()).collect()
        }
        // A server whose tools are not asked for, or some of them.
        Part::Servers => members()
            .flat_map(|(name, server)| {
                let whole = (server.get("trust") == Some(&Value::Bool(true))).then(|| format!("mcp__{name}"));
                let some = ["autoApprove", "alwaysAllow"].iter().filter_map(|key| server.get(key));
                let some = some.flat_map(texts::strings).map(move |tool| format!("mcp__{name}__{tool}"));
                whole.into_iter().chain(some).collect::<Vec<_>>()
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns permissions as entries: `bash`, `bash(git *)`.
fn entries(value: Option<&Value>) -> BTreeMap<String, &str> {
    let mut entries = BTreeMap::new();
    match value {
        Some(Value::String(action)) => drop(entries.insert("*".to_owned(), action.as_str())),
        Some(Value::Object(tools)) => {
            for (tool, value) in tools {
                if let Some(action) = value.as_str() {
                    entries.insert(tool.clone(), action);
                }
                for (pattern, action) in value.as_object().into_iter().flatten() {
                    let entry = if pattern == "*" { tool.clone() } else { format!("{tool}({pattern})") };
                    entries.extend(action.as_str().map(|action| (entry, action)));
                }
            }
        }
        _ => {}
    }
    entries
}

fn permissions(after: Option<&Value>, before: Option<&Value>, powers: &mut Vec<Power>) {
    let (own, old) = (entries(after), entries(before));
    let tool = |entry: &str| entry.split_once('(').map_or(entry, |(tool, _)| tool).to_owned();
    let limited: BTreeSet<String> =
        old.iter().filter(|(_, action)| **action != "allow").map(|(entry, _)| tool(entry)).collect();
    let now = |entry: &str| own.get(entry).or_else(|| own.get(&tool(entry))).or_else(|| own.get("*")).copied();
    for (entry, &action) in &old {
        match (action, now(entry)) {
            ("deny", Some("deny")) | ("ask", Some("deny" | "ask")) => {}
            ("deny", _) => powers.push(Power::Undenied(entry.clone())),
            ("ask", _) => powers.push(Power::Unasked(entry.clone())),
            _ => {}
        }
    }
    for (entry, _) in own.iter().filter(|(entry, action)| **action == "allow" && !old.contains_key(*entry)) {
        // Everything else is allowed by default.
        if ["*", "external_directory", &tool(entry)].iter().any(|name| limited.contains(*name))
            || tool(entry) == "external_directory"
        {
            powers.push(Power::Tool(entry.clone()));
        }
    }
}

/// Returns the files that a runtime loads as code, and that are new or do something else.
fn code((head, _): Read<'_>, (base, _): Read<'_>, session: &Session) -> Result<Vec<Gain>, Error> {
    let directories: BTreeSet<BString> = CODE.iter().filter_map(|path| session.path(path)).collect();
    let before: BTreeMap<BString, _> =
        base.below(&directories)?.into_iter().map(|file| (file.path.clone(), file)).collect();
    let mut gains = Vec::new();
    for file in head.below(&directories)? {
        let is_code = [".js", ".ts", ".mjs", ".mts"].iter().any(|end| file.path.ends_with(end.as_bytes()));
        let old = before.get(&file.path);
        if !is_code || old.is_some_and(|old| old.id.is_some() && old.id == file.id) {
            continue;
        }
        let path = file.path.as_bstr();
        let (after, text) = (texts::text_of(head, path)?, texts::text_of(base, path)?);
        if after.as_ref().is_some_and(|(text, _)| text.trim().is_empty()) {
            continue;
        }
        let old = old.map(|old| (if old.mode == Mode::File { Mode::Executable } else { old.mode }, text.as_ref()));
        gains.extend(scripts::change(path, after.as_ref(), old, false).map(|power| session.gain(path, power)));
    }
    Ok(gains)
}
