//! Manifests of packages: the files that say which skills a plugin, an extension or a marketplace ships. What a runtime makes of
//! them is not decided here.

pub mod json;
mod published;
mod settings;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

pub use self::published::{NPM_IGNORE, Published};
pub(crate) use self::settings::PERMISSION;
pub use self::settings::{DENIED, DISABLED, ENABLED, EXCLUDED, MARKETPLACES, PERMISSIONS, RULES};
use crate::roots;
use crate::snapshot::Resolution;
use json::{Json, Member};
use skilltree_front_matter::text::FileId;

/// A manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The file.
    pub file: FileId,
    /// The directory that it describes; empty for the top.
    pub base: BString,
    /// Its path from there.
    pub name: Cow<'static, str>,
    /// What it holds, if it is not the manifest itself.
    pub part: Option<Part>,
    /// The text, or why there is none.
    pub content: Result<Json, Unread>,
    /// Whether it starts with a byte order mark, which most JSON parsers reject.
    pub has_bom: bool,
    /// Offsets and lines, from 1, of the values of [`OVERRIDES`], of [`DENIED`] and of permissions.
    pub lines: Vec<(usize, usize)>,
}

/// A part of a plugin that has a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Hooks.
    Hooks,
    /// MCP servers.
    Servers,
}

impl Part {
    /// The key of a manifest that holds the same, or names its file.
    pub const KEYS: [(&str, Self); 2] = [(HOOKS, Self::Hooks), (SERVERS, Self::Servers)];

    /// Returns the part that a file with a name known to its program holds.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            roots::HOOKS => Some(Self::Hooks),
            roots::SERVERS => Some(Self::Servers),
            _ => None,
        }
    }
}

/// The reason why an empty file is malformed.
pub const EMPTY: &str = "the file is empty";

/// Why a manifest has no content: `Display` is in the rule about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not valid JSON, for this reason, at this byte.
    Malformed(String, usize),
    /// It is not an object.
    NotAnObject,
    /// It is a symbolic link.
    Link,
    /// It has conflict stages.
    Unmerged,
    /// It is too large to read.
    TooLarge(u64),
}

/// The manifests of a tree, and where the paths that they name lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifests {
    /// The manifests, sorted by path.
    pub all: Vec<Manifest>,
    /// The looked-up paths.
    pub paths: BTreeMap<BString, Resolution>,
    /// Installed skills that are not as the file that records them says.
    pub drifted: Vec<Drifted>,
    /// Number of installed skills that were not compared, because they are too large.
    pub uncompared: usize,
    /// Files of commands that have the name of a skill's directory: those of plugins, by path.
    pub commands: BTreeSet<BString>,
    /// Scripts that hooks and servers start by their path, and that have no executable bit.
    pub not_executable: BTreeSet<BString>,
    /// Those whose first line, which names the interpreter, ends in CR.
    pub carriage_returns: BTreeSet<BString>,
    /// Parts of plugins in [`CLAUDE_MANIFESTS`] that no key names, and [`UNDOTTED_SERVERS`], by path.
    pub misplaced: BTreeSet<BString>,
    /// Files in the usual directories of plugins that a key of their manifest replaces, and that no manifest names, by path.
    pub unnamed: BTreeSet<BString>,
    /// Paths that manifests name and that are submodules or in one.
    pub submodules: BTreeSet<BString>,
    /// Skills that Git ignores, by the directory of skills in the working tree, which has no other.
    pub ignored: BTreeMap<BString, Ignored>,
    /// The text of each `.npmignore` that npm reads, by its directory.
    pub npm_ignores: BTreeMap<BString, Arc<str>>,
}

/// Skills of a directory that Git ignores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The SKILL.md of the first one.
    pub first: BString,
    /// Their number: 1,000 are counted, and one of a package.
    pub count: usize,
    /// Whether the directory is that of a package.
    pub is_of_package: bool,
    /// The first path on the way to the SKILL.md that a pattern matches; empty if unknown.
    pub excluded: BString,
    /// The pattern, if it is in the tree.
    pub by: Option<Pattern>,
    /// The file with the pattern, or else the directory.
    pub file: FileId,
}

impl Ignored {
    /// Creates an entry whose pattern is not known yet.
    pub(crate) fn new(first: BString) -> Self {
        Self { first, count: 0, is_of_package: false, excluded: BString::default(), by: None, file: FileId(0) }
    }
}

/// A pattern of a `.gitignore`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The path of the file.
    pub path: BString,
    /// The bytes of the pattern in the file.
    pub range: Range<usize>,
    /// The pattern.
    pub text: String,
}

/// An installed skill that is not as the file that records it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drifted {
    /// The file that records it, by its number among all manifests.
    pub manifest: usize,
    /// The bytes of the hash there.
    pub range: Range<usize>,
    /// Its name there.
    pub name: String,
    /// Where it was installed from.
    pub from: Option<String>,
    /// Its directory.
    pub directory: BString,
}

impl Manifests {
    /// Returns where a path leads; `None` if no manifest names it.
    pub fn resolve(&self, path: &BStr) -> Option<&Resolution> {
        self.paths.get(path)
    }

    /// Returns whether a path leads to a directory of the tree.
    pub fn is_directory(&self, path: &BStr) -> bool {
        path.is_empty() || matches!(self.resolve(path), Some(Resolution::Directory(_)))
    }

    /// Returns whether a package has neither skills nor another part in a usual place, as far as was looked up.
    pub fn has_no_part(&self, directory: &BStr) -> bool {
        let is_gone = |name: &str| self.resolve(join(directory, name).as_bstr()) == Some(&Resolution::Dangling);
        is_gone("skills") && PART_PLACES.iter().all(|name| is_gone(name))
    }

    /// Returns whether a path leads to a file of the tree.
    pub fn is_file(&self, path: &BStr) -> bool {
        matches!(self.resolve(path), Some(Resolution::File(_)))
    }
}

/// A path in a manifest, and the path from the top that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// As written.
    pub text: &'a str,
    /// Its bytes in the manifest.
    pub range: Range<usize>,
    /// The index in its list.
    pub index: Option<usize>,
}

/// A path to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The path from the top.
    pub path: BString,
    /// Whether a directory there holds skills.
    pub is_place: bool,
}

/// Why a manifest is malformed if its text is a path.
pub const ONLY_PATH: &str = "it holds only a path, as a symbolic link that was committed as text";

/// Keys whose values are paths in a package.
pub const PATH_KEYS: [&str; 10] = [
    "skills",
    "agents",
    "commands",
    "hooks",
    "lspServers",
    "mcpServers",
    "monitors",
    "outputStyles",
    "themes",
    "workflows",
];

/// Keys of a manifest, besides [`PATH_KEYS`], for something other than skills.
pub const PART_KEYS: [&str; 5] = ["apps", "contextFileName", "dependencies", "excludeTools", "rules"];

/// Keys of a manifest or an entry that describe the package, and add nothing to it.
const DESCRIPTION_KEYS: [&str; 16] = [
    "$schema",
    "author",
    "category",
    "description",
    "displayName",
    "homepage",
    "icon",
    "keywords",
    "license",
    "name",
    "policy",
    "repository",
    "source",
    "strict",
    "tags",
    "version",
];

/// Returns whether a manifest or an entry names no part of its package.
pub fn only_describes(json: &Json) -> bool {
    json.members().iter().all(|member| DESCRIPTION_KEYS.contains(&member.key.as_str()))
}

/// Usual places in a package of something other than skills. They are looked up in packages without `skills`.
pub const PART_PLACES: [&str; 16] = [
    ".app.json",
    ".lsp.json",
    ".mcp.json",
    "GEMINI.md",
    "QWEN.md",
    "agents",
    "bin",
    COMMANDS,
    HOOKS,
    "mcp.json",
    "monitors",
    "output-styles",
    "rules",
    "settings.json",
    "themes",
    "workflows",
];

/// Directories of a package with files for several of its skills.
pub(crate) const SHARED: [&str; 12] = [
    "assets",
    "bin",
    "checklists",
    "lib",
    "prompts",
    "reference",
    "references",
    "resources",
    "rules",
    "scripts",
    "shared",
    "templates",
];

/// The directory of [`roots::CLAUDE_PLUGIN`], in which Claude Code reads nothing else.
pub const CLAUDE_MANIFESTS: &str = ".claude-plugin";

/// A name of [`roots::SERVERS`] that Claude Code does not read.
pub const UNDOTTED_SERVERS: &str = "mcp.json";

/// Parts of a plugin that people put next to its manifest, and where they belong in the plugin.
pub const MISPLACED: [(&str, &str); 6] = [
    (roots::SERVERS, roots::SERVERS),
    ("agents", "agents"),
    (COMMANDS, COMMANDS),
    (HOOKS, HOOKS),
    ("hooks.json", roots::HOOKS),
    ("mcp.json", roots::SERVERS),
];

/// Keys that replace the usual directory of a plugin, and the directory.
const REPLACING: [(&str, &str); 3] = [("agents", "agents"), (COMMANDS, COMMANDS), ("outputStyles", OUTPUT_STYLES)];

/// Usual directory of the output styles in a plugin.
pub const OUTPUT_STYLES: &str = "output-styles";

/// Files of plugins whose keys of [`REPLACING`] are read.
const PLUGINS: [&str; 4] = [roots::CLAUDE_PLUGIN, "plugin.json", ".plugin/plugin.json", ".github/plugin/plugin.json"];

/// Key of the commands in a manifest, and their usual directory.
pub const COMMANDS: &str = "commands";

/// Key of the hooks in a manifest, and of the events in a file of hooks.
pub const HOOKS: &str = "hooks";

/// Key of the MCP servers in a manifest, and of all in a file of servers.
pub const SERVERS: &str = "mcpServers";

/// Key of settings that say what a model is shown of a skill.
pub const OVERRIDES: &str = "skillOverrides";

/// Returns the strings of a value that is a path or a list of paths.
pub fn written(value: &Json) -> impl Iterator<Item = Written<'_>> {
    let one = value.text().map(|text| Written { text, range: value.range.clone(), index: None });
    let items = value.items().iter().enumerate().filter_map(|(index, item)| {
        Some(Written { text: item.text()?, range: item.range.clone(), index: Some(index) })
    });
    one.into_iter().chain(items)
}

/// Returns the paths of a value, and of its members, as the commands of a plugin are written: `{ NAME: { "source": PATH } }`.
pub fn named_paths(value: &Json) -> impl Iterator<Item = Written<'_>> {
    let sources = value.members().iter().filter_map(|member| member.value.get("source"));
    written(value).chain(sources.flat_map(written))
}

/// Returns the directories and files that the key for commands names.
pub fn command_places(directory: &BStr, keys: &Json) -> impl Iterator<Item = BString> {
    keys.get(COMMANDS).into_iter().flat_map(written).filter_map(move |path| below(directory, path.text))
}

/// Returns a path below a directory; `None` if it leaves the directory.
pub fn below(directory: &BStr, path: &str) -> Option<BString> {
    if path.contains("://") || path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let mut inside: Vec<&str> = Vec::new();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match name {
            ".." => drop(inside.pop()?),
            _ => inside.push(name),
        }
    }
    if inside.is_empty() {
        return Some(directory.to_owned());
    }
    let inside = roots::normalise(&inside.join("/"))?;
    Some(join(directory, &inside))
}

/// Joins a directory and a path.
pub fn join(directory: &BStr, path: &str) -> BString {
    match directory.is_empty() {
        true => path.into(),
        false => [directory.as_bytes(), b"/", path.as_bytes()].concat().into(),
    }
}

/// Returns the directories that the source of an entry may mean: its path, and its path below `pluginRoot`. None for another
/// repository.
pub fn sources(marketplace: &Manifest, top: &Json, entry: &Json) -> (Option<BString>, Option<BString>) {
    let Some(path) = source(entry) else { return (None, None) };
    let root = top.at("metadata.pluginRoot").and_then(Json::text);
    let base = marketplace.base.as_bstr();
    (below(base, path), root.and_then(|root| below(below(base, root)?.as_bstr(), path)))
}

/// Returns the path of an entry's source; `None` for another repository.
pub fn source(entry: &Json) -> Option<&str> {
    let source = entry.get("source")?;
    source.text().filter(|path| !path.contains("://")).or_else(|| {
        let kind = source.get("source").and_then(Json::text);
        kind.filter(|kind| *kind == "local").and(source.get("path")?.text())
    })
}

impl Manifest {
    /// Calls a function with the paths whose place in the tree decides what runtimes make of the manifest: a small file can name many
    /// long ones.
    pub fn each_wanted(&self, add: &mut dyn FnMut(Wanted)) {
        let Ok(json) = &self.content else { return };
        let base = self.base.as_bstr();
        match self.name.as_ref() {
            _ if self.part.is_some() => scripts(base, json, true, add),
            _ if self.is_marketplace() => {
                for entry in self.entries() {
                    let (plain, below_root) = sources(self, json, entry);
                    for directory in plain.iter().chain(&below_root) {
                        probe(directory.as_bstr(), entry, add);
                    }
                    // Authors often write paths from the top of the marketplace.
                    named(base, entry, add);
                }
            }
            // Settings are about the skills of others; their hooks run scripts of the project.
            roots::CLAUDE_SETTINGS | roots::LOCAL_SETTINGS => {
                let words = commands(json).filter_map(|command| Some(command.text()?.split_ascii_whitespace()));
                let paths = words.filter_map(project_script).filter_map(|path| below(base, &path));
                paths.for_each(|path| add(Wanted { path, is_place: false }));
            }
            _ if self.is_settings() => {
                for path in self.places().filter_map(|(_, path)| path) {
                    add(Wanted { path: join(path.as_bstr(), "SKILL.md"), is_place: false });
                    add(Wanted { path, is_place: true });
                }
            }
            _ if self.is_lock() => {}
            _ => probe(base, json, add),
        }
    }

    /// Returns the entries of a marketplace.
    pub fn entries(&self) -> &[Json] {
        let plugins = self.content.as_ref().ok().filter(|_| self.is_marketplace()).and_then(|json| json.get("plugins"));
        plugins.map_or(&[], Json::items)
    }

    /// Calls a function with the directory and the keys of each package that the manifest describes: its own, or those of its entries.
    pub fn each_package<'m>(&'m self, mut see: impl FnMut(&BStr, &'m Json)) {
        let Ok(json) = &self.content else { return };
        for entry in self.entries() {
            let (plain, below_root) = sources(self, json, entry);
            plain.iter().chain(&below_root).for_each(|directory| see(directory.as_bstr(), entry));
        }
        if !self.is_marketplace() && !self.is_lock() {
            see(self.base.as_bstr(), json);
        }
    }

    /// Returns whether the manifest is that of a plugin or an extension: a directory has one per program that it is made for.
    pub fn is_of_program(&self) -> bool {
        let is_read = self.part.is_none() && roots::belongs(&self.name).is_none();
        is_read && (self.name.ends_with("plugin.json") || self.name.ends_with("extension.json"))
    }

    /// Returns the line of a value of [`OVERRIDES`] or of a permission, by the offset of the value.
    pub fn line(&self, at: usize) -> usize {
        let found = self.lines.binary_search_by_key(&at, |(offset, _)| *offset);
        found.map_or(1, |index| self.lines[index].1)
    }

    /// Returns whether the manifest is that of a plugin with agents.
    pub fn is_plugin(&self) -> bool {
        self.part.is_none() && PLUGINS.contains(&self.name.as_ref())
    }

    /// Returns the keys of a plugin that replace a usual directory, each with its value and the path of the directory.
    pub fn replacing(&self) -> impl Iterator<Item = (&'static str, &Json, BString)> {
        let json = self.content.as_ref().ok().filter(|_| self.is_plugin());
        json.into_iter().flat_map(|json| {
            let directory = |usual| join(self.base.as_bstr(), usual);
            REPLACING.iter().filter_map(move |&(key, usual)| Some((key, json.get(key)?, directory(usual))))
        })
    }

    /// Returns whether the manifest lists packages.
    pub fn is_marketplace(&self) -> bool {
        self.name.ends_with("marketplace.json")
    }

    /// Returns whether the manifest records installed skills, and describes no package.
    fn is_lock(&self) -> bool {
        *self.name == *roots::LOCK
    }
}

/// Adds the places of a package in a directory.
fn probe(directory: &BStr, keys: &Json, add: &mut dyn FnMut(Wanted)) {
    add(Wanted { path: directory.to_owned(), is_place: false });
    add(Wanted { path: join(directory, "skills"), is_place: true });
    add(Wanted { path: join(directory, COMMANDS), is_place: false });
    for name in ["SKILL.md", "skills/SKILL.md"] {
        add(Wanted { path: join(directory, name), is_place: false });
    }
    named(directory, keys, add);
}

/// Adds the scripts that hooks and servers run.
fn scripts(directory: &BStr, json: &Json, is_file: bool, add: &mut dyn FnMut(Wanted)) {
    let of_hooks = commands(json).filter_map(|command| script(command.text()?).or(relative_script(command.text()?)));
    let of_servers = servers(json, is_file).filter_map(|server| {
        let found = server_script(&server.value).or_else(|| relative_server_script(&server.value));
        Some(found?.1)
    });
    let paths = of_hooks.chain(of_servers).filter_map(|path| below(directory, path));
    paths.for_each(|path| add(Wanted { path, is_place: false }));
}

/// Returns the MCP servers of a manifest or of a file: `{ "mcpServers": { NAME: … } }`, in a manifest also in a list of such objects, and in a
/// file also without the key.
pub fn servers(json: &Json, is_file: bool) -> impl Iterator<Item = &Member> {
    let whole = is_file.then_some(json).filter(|json| json.get(SERVERS).is_none());
    let value = json.get(SERVERS).or(whole);
    let objects = value.into_iter().flat_map(|value| std::iter::once(value).chain(value.items()));
    objects.flat_map(Json::members)
}

/// Returns the script that a command starts with as a path relative to the working directory.
pub fn relative_script(command: &str) -> Option<&str> {
    relative(program(command.split_ascii_whitespace())?)
}

/// Returns a word that is a relative path without a variable.
fn relative(word: &str) -> Option<&str> {
    let is_path = word.contains('/') && !word.starts_with(['/', '~', '.']) || word.starts_with("./");
    (is_path && word.bytes().all(is_plain)).then_some(word)
}

/// Returns the script that words start with, as a path from the directory of the plugin.
pub fn script_of<'a>(words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    plugin_path(program(words)?)
}

/// Returns the script that a server starts with, where it is written, and its path from the directory of the plugin.
pub fn server_script(server: &Json) -> Option<(&Json, &str)> {
    let place = started(server)?;
    Some((place, plugin_path(place.text()?)?))
}

/// Returns the script that a server starts with as a path relative to the working directory.
pub fn relative_server_script(server: &Json) -> Option<(&Json, &str)> {
    let place = started(server).filter(|_| server.get("cwd").is_none())?;
    Some((place, relative(place.text()?)?))
}

/// Returns the word for what a server starts, see [`program`].
fn started(server: &Json) -> Option<&Json> {
    let arguments = server.get("args").map(Json::items).unwrap_or_default();
    first_started(server.get("command").into_iter().chain(arguments), |word| word.text())
}

/// Returns the commands of hooks: `{ "hooks": { EVENT: [{ "hooks": [{ "command": … }] }] } }`, in a manifest or in a file of their own.
pub fn commands(json: &Json) -> impl Iterator<Item = &Json> {
    let events = json.get(HOOKS).map(Json::members).unwrap_or_default();
    let entries = events.iter().flat_map(|event| event.value.items());
    let hooks = entries.flat_map(|entry| entry.get(HOOKS).map(Json::items).unwrap_or_default());
    hooks.filter_map(|hook| hook.get("command"))
}

/// Programs that start a script, and those that start such a program.
const LAUNCHERS: [&str; 20] = [
    "bash",
    "bun",
    "dash",
    "deno",
    "env",
    "exec",
    "node",
    "perl",
    "php",
    "poetry",
    "powershell",
    "pwsh",
    "python",
    "python3",
    "ruby",
    "sh",
    "ts-node",
    "tsx",
    "uv",
    "zsh",
];
/// Commands of theirs that start it.
const STARTING: [&str; 2] = ["run", "exec"];
/// Programs that start a package, which may be a launcher.
const PACKAGE_RUNNERS: [&str; 3] = ["npx", "bunx", "uvx"];

/// Returns the word for what a command runs: its first, or, after launchers such as `python3` and `uv run`, the first that is no option.
fn program<'a>(words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    first_started(words, |word| Some(*word))
}

fn first_started<W>(mut words: impl Iterator<Item = W>, text: impl Fn(&W) -> Option<&str>) -> Option<W> {
    let (mut is_launched, mut is_package) = (false, false);
    words
        .find(|word| {
            let written = text(word).unwrap_or_default();
            let name = if written.starts_with('/') { written.rsplit('/').next().unwrap_or_default() } else { written };
            let is_launcher = LAUNCHERS.contains(&name);
            let is_skipped = is_launcher
                || is_launched && (written.starts_with('-') || STARTING.contains(&written))
                || is_assignment(written);
            is_package = PACKAGE_RUNNERS.contains(&name) || is_package && !is_launcher;
            is_launched |= is_launcher || is_package;
            !is_skipped && !PACKAGE_RUNNERS.contains(&name)
        })
        .filter(|_| !is_package)
}

/// Returns whether a word sets a variable of a command.
fn is_assignment(word: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// Ways to write the directory of a plugin in a command.
const PLUGIN_ROOT: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}/", "$CLAUDE_PLUGIN_ROOT/"];

/// Returns the script that a command starts with, as a path from the directory of the plugin; `None` if it starts with another program.
pub fn script(command: &str) -> Option<&str> {
    let word = program(command.split_ascii_whitespace())?;
    // Without its quotes. A path with a space is several words, and not looked for.
    let quote = word.chars().next().filter(|first| matches!(first, '"' | '\''));
    let word = match quote {
        Some(quote) => word.strip_prefix(quote)?.strip_suffix(quote)?,
        None => word,
    };
    plugin_path(word)
}

/// Returns the scripts that hooks and servers start by their path, without an interpreter, from the directory of the plugin.
pub(crate) fn direct_scripts(json: &Json, is_file: bool) -> impl Iterator<Item = &str> {
    let of_hooks = commands(json).filter_map(|command| direct(command.text()?));
    of_hooks.chain(servers(json, is_file).filter_map(|server| plugin_path(server.value.get("command")?.text()?)))
}

/// Returns the script that a command starts by its path; `None` if it starts a program, such as an interpreter.
pub fn direct(command: &str) -> Option<&str> {
    script(command).filter(|_| starts_with_variable(command))
}

/// Returns whether the first word of a command is a path below a variable.
pub fn starts_with_variable(command: &str) -> bool {
    command.trim_start_matches(['"', '\'']).starts_with('$')
}

/// Returns whether a byte of a path needs no quotes and is no variable.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_./-@+".contains(&byte)
}

/// Ways to write the directory of the project in a command.
const PROJECT: [&str; 2] = ["${CLAUDE_PROJECT_DIR}/", "$CLAUDE_PROJECT_DIR/"];

/// Returns the script that a command of the project starts with, as a path from its directory.
pub fn project_script<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let word = program(words)?.replace(['"', '\''], "");
    let is_relative = word.contains('/') && !word.starts_with(['/', '~']);
    plain(in_project(&word).or(is_relative.then_some(word.as_str()))?).map(str::to_owned)
}

/// Returns the script that a command starts with by the variable for the directory of the project, as a path from there.
pub fn script_in_project(command: &str) -> Option<String> {
    let word = program(command.split_ascii_whitespace())?.replace(['"', '\''], "");
    in_project(&word).and_then(plain).map(str::to_owned)
}

fn in_project(word: &str) -> Option<&str> {
    PROJECT.iter().find_map(|root| word.strip_prefix(root))
}

/// Returns a path from the directory of the plugin, if it is one and has no other variable.
fn plugin_path(word: &str) -> Option<&str> {
    PLUGIN_ROOT.iter().find_map(|root| word.strip_prefix(root)).and_then(plain)
}

/// Returns a path that needs no quotes and has no variable.
fn plain(path: &str) -> Option<&str> {
    (!path.is_empty() && path.bytes().all(is_plain)).then_some(path)
}

/// Returns a path in a text that climbs out of the directory of the plugin, from there.
pub fn climbing(text: &str) -> Option<&str> {
    let after = |root: &&str| {
        text.match_indices(*root).find_map(|(at, _)| {
            let path = &text[at + root.len()..];
            let path = &path[..path.bytes().take_while(|&byte| is_plain(byte)).count()];
            below(BStr::new(""), path).is_none().then_some(path)
        })
    };
    PLUGIN_ROOT.iter().find_map(after)
}

/// Returns the texts of a server in which paths can be: its command and arguments, its directory and its variables.
pub fn server_texts(server: &Json) -> impl Iterator<Item = &Json> {
    let values = ["command", "cwd"].into_iter().filter_map(|key| server.get(key));
    let arguments = server.get("args").map(Json::items).unwrap_or_default();
    let variables = server.get("env").map(Json::members).unwrap_or_default();
    values.chain(arguments).chain(variables.iter().map(|variable| &variable.value))
}

/// Adds the paths that the keys of a package name.
fn named(directory: &BStr, keys: &Json, add: &mut dyn FnMut(Wanted)) {
    let lists = PATH_KEYS.iter().filter_map(|key| keys.get(key));
    let inner = [keys.at("pi.skills"), keys.at("skills.paths")].into_iter().flatten();
    let mut place = |path: &str| {
        if let Some(path) = below(directory, path) {
            add(Wanted { path: join(path.as_bstr(), "SKILL.md"), is_place: false });
            add(Wanted { path, is_place: true });
        }
    };
    lists.chain(inner).flat_map(named_paths).for_each(|path| place(path.text));
    let contributed = keys.at("contributes.chatSkills").map_or(&[][..], Json::items);
    // Each names a SKILL.md.
    let files = contributed.iter().filter_map(|item| item.get("path")?.text());
    files.for_each(|path| place(path.strip_suffix("/SKILL.md").unwrap_or(path)));
    scripts(directory, keys, false, add);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_script_of_a_command() {
        for (command, expected) in [
            ("${CLAUDE_PLUGIN_ROOT}/a.sh", Some("a.sh")),
            ("\"${CLAUDE_PLUGIN_ROOT}/a b.sh\"", None),
            ("\"${CLAUDE_PLUGIN_ROOT}/a/b.sh\" --fast", Some("a/b.sh")),
            ("python3 -u $CLAUDE_PLUGIN_ROOT/a.py", Some("a.py")),
            ("node '${CLAUDE_PLUGIN_ROOT}/a.js'", Some("a.js")),
            ("uv run --quiet ${CLAUDE_PLUGIN_ROOT}/a.py", Some("a.py")),
            ("/usr/bin/env LANG=C python3 ${CLAUDE_PLUGIN_ROOT}/a.py", Some("a.py")),
            ("npx -y tsx ${CLAUDE_PLUGIN_ROOT}/a.ts", Some("a.ts")),
            ("npx -y prettier ${CLAUDE_PLUGIN_ROOT}/a.ts", None),
            ("uv run --with ruff ${CLAUDE_PLUGIN_ROOT}/a.py", None),
            ("cat ${CLAUDE_PLUGIN_ROOT}/a.md", None),
            ("echo done > ${CLAUDE_PLUGIN_ROOT}/log", None),
            ("${CLAUDE_PLUGIN_ROOT}/$NAME.sh", None),
            ("./a.sh", None),
            ("", None),
        ] {
            assert_eq!(script(command), expected, "{command}");
        }
    }

    #[test]
    fn finds_scripts_that_start_at_the_user() {
        for (command, expected) in [
            ("./a.sh --fast", Some("./a.sh")),
            ("scripts/a.sh", Some("scripts/a.sh")),
            ("bash hooks/a.sh", Some("hooks/a.sh")),
            ("a.sh", None),
            ("/usr/bin/env bash", None),
            ("~/a.sh", None),
            ("../a.sh", None),
            ("${CLAUDE_PLUGIN_ROOT}/a.sh", None),
            ("npx prettier --write .", None),
            ("npx -y @scope/package", None),
            ("deno run -A hooks/a.ts", Some("hooks/a.ts")),
        ] {
            assert_eq!(relative_script(command), expected, "{command}");
        }
    }
}
