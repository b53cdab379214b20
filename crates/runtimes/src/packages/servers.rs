//! MCP servers of a plugin, in its manifest or in its `.mcp.json`, as Claude Code 2.1.332 reads them. It leaves out a server of a file that
//! it does not understand, and says nothing; with one in the manifest, it loads nothing of the plugin.

use std::fmt;
use std::ops::Range;

use super::parts::{self, Directory, Need, SHOWN, Script, unquoted};
use super::view::View;
use super::{Costs, Fault, Wrong};
use skilltree_front_matter::text::{self, shortened};
use skilltree_skills::manifest::json::{Json, Member, Value};
use skilltree_skills::manifest::{self, Part, SERVERS};

/// The type of a server that is a program, which needs not be written.
const PROGRAM: &str = "stdio";

/// Types of servers with an address.
const REMOTE: [&str; 4] = ["http", "sse", "streamable-http", "ws"];

/// Types that only another program registers.
const OF_HOSTS: [&str; 4] = ["claudeai-proxy", "sdk", "sse-ide", "ws-ide"];

/// Keys that hold the address of a server, here or in other programs.
const ADDRESSES: [&str; 5] = ["endpoint", "httpUrl", "serverUrl", "uri", "url"];

/// What is wrong with the servers of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerFault {
    /// The whole file is not read, for this reason.
    Unread(String),
    /// The servers are below another key.
    Key(String),
    /// One server has a flaw.
    One(String, Flaw),
}

/// What is wrong with one server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// It is not an object.
    Shape,
    /// It has an address and no type, so that it counts as a program; with the type that is meant.
    Untyped(String, &'static str),
    /// It has no such key.
    Missing(String),
    /// A key is misspelled; with the one that is meant.
    Misspelled(String, String),
    /// A value of a key has another type.
    Type(String, Need),
    /// It has an unknown type; with the one that is meant.
    Kind(String, Option<String>),
    /// Its script does not run.
    Script(Script),
}

impl fmt::Display for ServerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread(reason) => write!(f, "{reason}"),
            Self::Key(key) => write!(f, "`{}` is not `{SERVERS}`", shortened(key, SHOWN)),
            Self::One(_, flaw) => flaw.fmt(f),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text| shortened(text, SHOWN);
        match self {
            Self::Shape => write!(f, "it is not an object"),
            Self::Untyped(key, _) => write!(f, "it has `{key}` and no `type`"),
            Self::Missing(key) => write!(f, "it has no `{key}`"),
            Self::Misspelled(key, meant) => write!(f, "it has `{}` instead of `{meant}`", short(key)),
            Self::Type(key, need) => write!(f, "`{}` is not {}", short(key), need.words()),
            Self::Kind(kind, _) => write!(f, "`{}` is not a type of server", short(kind)),
            Self::Script(script) => script.fmt(f),
        }
    }
}

impl ServerFault {
    /// Returns the edit that corrects it.
    pub(super) fn help(&self) -> String {
        let flaw = match self {
            Self::Unread(_) => return format!("correct the file: an object with the key `{SERVERS}`"),
            Self::Key(_) => return format!("rename it to `{SERVERS}`"),
            Self::One(_, flaw) => flaw,
        };
        match flaw {
            Flaw::Shape => "write `{ \"command\": … }` or `{ \"type\": \"http\", \"url\": … }`".to_owned(),
            Flaw::Untyped(key, kind) if key == "url" => format!("add `\"type\": \"{kind}\"`"),
            Flaw::Untyped(key, kind) => format!("rename `{key}` to `url`, and add `\"type\": \"{kind}\"`"),
            Flaw::Missing(key) => format!("add `{key}`"),
            Flaw::Misspelled(_, meant) => format!("rename it to `{meant}`"),
            Flaw::Type(_, need) => format!("write {}", need.words()),
            Flaw::Kind(_, Some(near)) => format!("write `{near}`"),
            Flaw::Kind(_, None) => format!("write `{PROGRAM}`, `http`, `sse` or `ws`"),
            Flaw::Script(script) => script.help(),
        }
    }
}

/// Returns the name that the tools of a server of a plugin have for the model: `mcp__NAME__TOOL`.
pub(super) fn name_in_tools(plugin: &str, server: &str) -> String {
    let is_kept = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    format!("plugin_{plugin}_{server}").chars().map(|one| if is_kept(one) { one } else { '_' }).collect()
}

/// Checks the servers of a package: in its manifest, and, if it was made for the program, in files.
pub(super) fn package(
    search: &View<'_>,
    manifest: Option<(usize, &Json)>,
    directory: Directory<'_>,
    faults: &mut Vec<Fault>,
) {
    if let Some((number, json)) = manifest {
        scripts(search, number, manifest::servers(json, false), directory, faults);
    }
    if !directory.is_own {
        return;
    }
    for number in search.parts(directory.path, (SERVERS, Part::Servers), manifest.map(|(_, json)| json)) {
        let file = &search.manifests.all[number];
        if let Some((range, reason)) = parts::unread(file) {
            add(number, range, ServerFault::Unread(reason), Costs::Entry, faults);
        } else if let Ok(json) = &file.content {
            of_file(number, json, faults);
            scripts(search, number, manifest::servers(json, true), directory, faults);
        }
    }
}

/// Checks the servers in a manifest or an entry.
pub(super) fn inline(number: usize, json: &Json, faults: &mut Vec<Fault>) {
    for member in manifest::servers(json, false) {
        one(number, member, Costs::Package, faults);
    }
}

fn of_file(number: usize, json: &Json, faults: &mut Vec<Fault>) {
    if let Some(value) = json.get(SERVERS)
        && !matches!(value.value, Value::Object(_) | Value::List(_) | Value::Deep)
    {
        let reason = format!("`{SERVERS}` is not an object");
        return add(number, value.range.clone(), ServerFault::Unread(reason), Costs::Entry, faults);
    }
    let is_whole = json.get(SERVERS).is_none();
    for member in manifest::servers(json, true) {
        // Without the key, each key of the file is the name of a server.
        match is_whole {
            true if holds_servers(&member.value) => {
                let fault = ServerFault::Key(member.key.clone());
                add(number, unquoted(&member.range), fault, Costs::Entry, faults);
            }
            true if member.value.members().is_empty() => {}
            _ => one(number, member, Costs::Entry, faults),
        }
    }
}

/// Returns whether a value is an object of servers.
fn holds_servers(value: &Json) -> bool {
    let is_server = |value: &Json| ["command", "url"].iter().any(|key| value.get(key).is_some());
    !is_server(value) && value.members().iter().any(|member| is_server(&member.value))
}

/// Checks the scripts that servers run.
fn scripts<'a>(
    search: &View<'_>,
    number: usize,
    servers: impl Iterator<Item = &'a Member>,
    directory: Directory<'_>,
    faults: &mut Vec<Fault>,
) {
    for member in servers {
        let server = &member.value;
        let climbing = manifest::server_texts(server).find_map(|value| {
            let script = Script::climbing(directory.path, value.text()?, directory.is_listed)?;
            Some((value.range.clone(), script))
        });
        if let Some((range, script)) = climbing.or_else(|| wrong_variable(server)) {
            let fault = ServerFault::One(member.key.clone(), Flaw::Script(script));
            add(number, range, fault, Costs::Entry, faults);
            continue;
        }
        let (own, relative) = (manifest::server_script(server), manifest::relative_server_script(server));
        let Some((place, _)) = own.or(relative) else { continue };
        let is_direct = server.get("command").is_some_and(|command| std::ptr::eq(command, place));
        let own = own.map(|(_, path)| (path, is_direct));
        if let Some(script) = Script::check(search, directory.path, own, relative.map(|(_, path)| path)) {
            let fault = ServerFault::One(member.key.clone(), Flaw::Script(script));
            add(number, place.range.clone(), fault, Costs::Entry, faults);
        }
    }
}

/// Returns the first value of a server with a variable of another program, or with its own that is not replaced. A shell has it.
fn wrong_variable(server: &Json) -> Option<(Range<usize>, Script)> {
    let values = ["command", "args"].into_iter().filter_map(|key| server.get(key));
    let mut texts = values.flat_map(|value| std::iter::once(value).chain(value.items()));
    let is_shell = server.get("args").is_some_and(|args| args.items().iter().any(|item| item.text() == Some("-c")));
    let wrong = |text: &str| Script::foreign(text).or_else(|| Script::unreplaced(text).filter(|_| !is_shell));
    texts.find_map(|value| Some((value.range.clone(), wrong(value.text()?)?)))
}

fn add(manifest: usize, range: Range<usize>, fault: ServerFault, costs: Costs, faults: &mut Vec<Fault>) {
    faults.push(Fault { manifest, range, what: Wrong::Server(fault), costs });
}

/// Reports the flaws of a server.
fn one(number: usize, member: &Member, costs: Costs, faults: &mut Vec<Fault>) {
    for (range, flaw) in flaws(member) {
        add(number, range, ServerFault::One(member.key.clone(), flaw), costs, faults);
    }
}

fn flaws(member: &Member) -> Vec<(Range<usize>, Flaw)> {
    let server = &member.value;
    if server.value == Value::Deep {
        return Vec::new();
    }
    if !Need::Object.is_met(server) {
        return vec![(server.range.clone(), Flaw::Shape)];
    }
    let kind = match server.get("type") {
        None => PROGRAM,
        Some(kind) => match kind.text() {
            Some(text) => text,
            None => return vec![(kind.range.clone(), Flaw::Type("type".to_owned(), Need::Text))],
        },
    };
    let mut found = Found { server, name: &member.range, flaws: Vec::new() };
    match kind {
        PROGRAM => found.program(),
        kind if REMOTE.contains(&kind) => found.remote(),
        kind if OF_HOSTS.contains(&kind) => {}
        kind => found.unknown(kind),
    }
    found.flaws
}

/// The flaws of one server.
struct Found<'a> {
    server: &'a Json,
    /// The place of its name.
    name: &'a Range<usize>,
    flaws: Vec<(Range<usize>, Flaw)>,
}

impl Found<'_> {
    fn program(&mut self) {
        match self.server.get("command") {
            Some(command) if command.text() == Some("") => {
                self.flaws.push((command.range.clone(), Flaw::Missing("command".to_owned())));
            }
            Some(_) => self.typed("command", Need::Text),
            None => self.without_command(),
        }
        self.typed("args", Need::List);
        self.texts("args");
        self.typed("env", Need::Object);
        self.texts("env");
        self.common();
    }

    fn without_command(&mut self) {
        let is_untyped = self.server.get("type").is_none();
        let address = ADDRESSES.into_iter().find(|key| self.server.get(key).and_then(Json::text).is_some());
        match address.filter(|_| is_untyped) {
            Some(key) => {
                let address = self.server.get(key).and_then(Json::text).unwrap_or_default();
                let kind = if address.ends_with("/sse") { "sse" } else { "http" };
                self.flaws.push((unquoted(self.name), Flaw::Untyped(key.to_owned(), kind)));
            }
            None => self.missing("command"),
        }
    }

    fn remote(&mut self) {
        match self.server.get("url") {
            Some(_) => self.typed("url", Need::Text),
            None => self.missing("url"),
        }
        self.typed("headers", Need::Object);
        self.texts("headers");
        self.typed("headersHelper", Need::Text);
        self.typed("oauth", Need::Object);
        self.common();
    }

    fn unknown(&mut self, kind: &str) {
        let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
        let is_same = |known: &&str| plain(known) == plain(kind);
        let alike = REMOTE.into_iter().chain([PROGRAM]).find(is_same).filter(|known| *known != "streamable-http");
        let near = match (alike, plain(kind).as_str()) {
            (Some(known), _) => Some(known),
            (None, "streamablehttp" | "remote") => Some("http"),
            (None, "local") => Some(PROGRAM),
            (None, _) => text::nearest(kind, REMOTE.into_iter().chain([PROGRAM])),
        };
        let range = self.server.get("type").map_or_else(|| self.name.clone(), |value| unquoted(&value.range));
        self.flaws.push((range, Flaw::Kind(kind.to_owned(), near.map(str::to_owned))));
    }

    fn common(&mut self) {
        self.typed("timeout", Need::Number);
        self.typed("alwaysLoad", Need::Boolean);
    }

    /// Reports the value of a key that has another type.
    fn typed(&mut self, key: &str, need: Need) {
        if let Some(value) = self.server.get(key).filter(|value| !need.is_met(value)) {
            self.flaws.push((value.range.clone(), Flaw::Type(key.to_owned(), need)));
        }
    }

    /// Reports the values below a key that are no strings.
    fn texts(&mut self, key: &str) {
        let Some(value) = self.server.get(key) else { return };
        let items = value.items().iter().enumerate().map(|(index, item)| (format!("{key}[{index}]"), item));
        let members = value.members().iter().map(|member| (format!("{key}.{}", member.key), &member.value));
        let wrong = items.chain(members).filter(|(_, value)| !Need::Text.is_met(value));
        self.flaws.extend(wrong.map(|(key, value)| (value.range.clone(), Flaw::Type(key, Need::Text))));
    }

    /// Reports a key that is not there: at one that is similar, else at the name of the server.
    fn missing(&mut self, key: &str) {
        self.flaws.push(match parts::similar(self.server, key) {
            Some(member) => (unquoted(&member.range), Flaw::Misspelled(member.key.clone(), key.to_owned())),
            None => (unquoted(self.name), Flaw::Missing(key.to_owned())),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Servers, and whether Claude Code 2.1.332 starts them from a file. In a manifest, one that is false costs the plugin.
    const SEEN: &[(&str, bool)] = &[
        (r#"{"command": "true"}"#, true),
        (r#"{"command": "true", "type": "stdio", "args": ["b"], "env": {"A": "1"}}"#, true),
        (r#"{"command": "true", "cwd": 1, "disabled": "no", "envFile": "x", "zz": 1}"#, true),
        (r#"{"command": "true", "url": "http://x/"}"#, true),
        (r#"{"command": "true", "transportType": "stdio"}"#, true),
        (r#"{"command": "true", "timeout": 5000, "alwaysLoad": true}"#, true),
        (r#"{"command": " "}"#, true),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/"}"#, true),
        (r#"{"type": "http", "url": "", "headers": {}, "headersHelper": "x", "oauth": {"clientId": "x"}}"#, true),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "headers": {"A": "b"}, "command": "true"}"#, true),
        (r#"{"type": "sse", "url": "http://127.0.0.1:1/"}"#, true),
        (r#"{"type": "streamable-http", "url": "http://127.0.0.1:1/"}"#, true),
        (r#"{"type": "ws", "url": "http://127.0.0.1:1/"}"#, true),
        ("null", false),
        ("true", false),
        (r#""npx x""#, false),
        (r#"["npx", "x"]"#, false),
        (r#"{"args": ["x"]}"#, false),
        (r#"{"command": ""}"#, false),
        (r#"{"command": null}"#, false),
        (r#"{"command": ["npx", "x"]}"#, false),
        (r#"{"cmd": "true"}"#, false),
        (r#"{"Command": "true"}"#, false),
        (r#"{"command": "true", "args": "-y x"}"#, false),
        (r#"{"command": "true", "args": [1]}"#, false),
        (r#"{"command": "true", "args": ["x", true]}"#, false),
        (r#"{"command": "true", "args": {}}"#, false),
        (r#"{"command": "true", "args": null}"#, false),
        (r#"{"command": "true", "env": {"PORT": 80}}"#, false),
        (r#"{"command": "true", "env": {"A": null}}"#, false),
        (r#"{"command": "true", "env": ["A=b"]}"#, false),
        (r#"{"command": "true", "env": "A=b"}"#, false),
        (r#"{"command": "true", "env": null}"#, false),
        (r#"{"command": "true", "type": null}"#, false),
        (r#"{"command": "true", "type": ""}"#, false),
        (r#"{"command": "true", "type": 1}"#, false),
        (r#"{"command": "true", "type": "STDIO"}"#, false),
        (r#"{"command": "true", "type": "local"}"#, false),
        (r#"{"command": "true", "type": "http"}"#, false),
        (r#"{"command": "true", "timeout": 0}"#, false),
        (r#"{"command": "true", "timeout": -5}"#, false),
        (r#"{"command": "true", "timeout": "5"}"#, false),
        (r#"{"command": "true", "alwaysLoad": "yes"}"#, false),
        (r#"{"url": "http://127.0.0.1:1/"}"#, false),
        (r#"{"serverUrl": "http://127.0.0.1:1/"}"#, false),
        (r#"{"httpUrl": "http://127.0.0.1:1/"}"#, false),
        (r#"{"transport": "http", "url": "http://127.0.0.1:1/"}"#, false),
        (r#"{"type": "stdio", "url": "http://127.0.0.1:1/"}"#, false),
        (r#"{"type": "HTTP", "url": "http://127.0.0.1:1/"}"#, false),
        (r#"{"type": "streamableHttp", "url": "http://127.0.0.1:1/"}"#, false),
        (r#"{"type": "http", "url": 1}"#, false),
        (r#"{"type": "http", "uri": "http://127.0.0.1:1/"}"#, false),
        (r#"{"type": "http", "endpoint": "http://127.0.0.1:1/"}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "headers": null}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "headers": {"A": 1}}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "headers": ["A: b"]}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "headersHelper": 1}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "oauth": "x"}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "oauth": true}"#, false),
        (r#"{"type": "http", "url": "http://127.0.0.1:1/", "timeout": "5"}"#, false),
        (r#"{"type": "ws", "url": "ws://127.0.0.1:1/", "headers": {"A": 1}}"#, false),
    ];

    fn parsed(text: &str) -> Json {
        Json::parse(text, &mut 1_000).unwrap()
    }

    #[test]
    fn knows_which_servers_start() {
        for (server, starts) in SEEN {
            let mut faults = Vec::new();
            of_file(0, &parsed(&format!(r#"{{"mcpServers": {{"a": {server}}}}}"#)), &mut faults);
            assert_eq!(faults.is_empty(), *starts, "{server}: {faults:?}");
            let mut faults = Vec::new();
            inline(0, &parsed(&format!(r#"{{"mcpServers": {{"a": {server}}}}}"#)), &mut faults);
            assert_eq!(faults.iter().any(|fault| fault.costs == Costs::Package), !starts, "{server}: {faults:?}");
        }
    }

    #[test]
    fn names_the_edit() {
        for (file, help) in [
            (r#"{"mcpServers": {"a": {"url": "http://x/"}}}"#, r#"add `"type": "http"`"#),
            (r#"{"mcpServers": {"a": {"url": "http://x/sse"}}}"#, r#"add `"type": "sse"`"#),
            (
                r#"{"mcpServers": {"a": {"httpUrl": "http://x/"}}}"#,
                r#"rename `httpUrl` to `url`, and add `"type": "http"`"#,
            ),
            (r#"{"mcpServers": {"a": {"type": "streamableHttp", "url": "x"}}}"#, "write `http`"),
            (r#"{"mcpServers": {"a": {"type": "SSE", "url": "x"}}}"#, "write `sse`"),
            (r#"{"mcpServers": {"a": {"type": "local", "command": "x"}}}"#, "write `stdio`"),
            (r#"{"mcpServers": {"a": {"comand": "x"}}}"#, "rename it to `command`"),
            (r#"{"mcpServers": null}"#, "correct the file: an object with the key `mcpServers`"),
            (r#"{"mcp_servers": {"a": {"command": "x"}}}"#, "rename it to `mcpServers`"),
            (r#"{"a": {"url": "http://x/"}}"#, r#"add `"type": "http"`"#),
        ] {
            let mut faults = Vec::new();
            of_file(0, &parsed(file), &mut faults);
            let helps: Vec<String> = faults.iter().map(|fault| fault.what.help()).collect();
            assert_eq!(helps, [help], "{file}");
        }
        for file in [
            "{}",
            r#"{"mcpServers": {}}"#,
            r#"{"$schema": "x", "a": {"command": "x"}}"#,
            r#"{"inputs": [], "mcpServers": {}}"#,
        ] {
            let mut faults = Vec::new();
            of_file(0, &parsed(file), &mut faults);
            assert_eq!(faults, [], "{file}");
        }
    }
}
