//! Behavior of the shipped program: where it looks for skills, which files it reads, how it handles malformed ones, and
//! how it identifies and lists the rest.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::faults::Faults;
use super::fields::{FieldRule, Keys};
use super::files::{Files, Links};
use super::identity::{Duplicates, Identity};
use super::listing::{Budget, Limit, Listing, Mentions};
use super::outcome::Verdict;
use super::reading::{FenceRule, Repair, TextRule, YamlRule};
use crate::definition::Definitions;
use crate::start::Required;

/// Behavior of the shipped program.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(remote = "Self", rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Loads {
    /// Maximum depth of a skill directory below its root; `None` for any depth (`"any"` in the file).
    #[serde(deserialize_with = "depth")]
    pub depth: Option<u32>,
    /// Searched directories in order of precedence: for duplicate names, an earlier root comes first.
    pub roots: Vec<Root>,
    /// Files that are read as skills.
    pub files: Files,
    /// Handling of symbolic links.
    pub links: Links,
    /// Decoding of the bytes to text.
    pub text: TextRule,
    /// Detection of the front matter; if unknown, `faults` has the outcome for a file.
    pub fence: Option<FenceRule>,
    /// Parsing of the YAML.
    pub yaml: Option<YamlRule>,
    /// Outcome for a skill whose bytes have a fault, if the parser of the program is unknown.
    pub faults: Faults,
    /// Repair of a front matter that does not parse.
    pub repair: Option<Repair>,
    /// Requirements on fields, by key; a nested key follows a dot.
    pub fields: BTreeMap<String, FieldRule>,
    /// Handling of keys.
    pub keys: Keys,
    /// Which commands of a body the program runs before the model reads it.
    pub commands: Option<Commands>,
    /// How it decides whether it may run such a command.
    #[serde(skip)]
    pub approval: Option<Approval>,
    /// Placeholders of a body that it replaces: `$ARGUMENTS`, `$N` for `$0` and any other number, `${NAME}`.
    pub expands: Vec<String>,
    /// Hooks of the front matter that it runs.
    #[serde(skip)]
    pub hooks: Option<Hooks>,
    /// Skills of the program that a definition of an agent can name next to those of the repository; `None` if it reads no definitions.
    #[serde(skip)]
    pub agents: Option<Vec<String>>,
    /// Keys of a plugin's manifest that replace a usual directory; with a directory in it, or without.
    #[serde(skip)]
    pub replacing: &'static [(&'static str, bool)],
    /// Start of the `$schema` of a plugin.json at the top with which it reads skills only, no hooks and no servers.
    #[serde(skip)]
    pub only_skills: Option<&'static str>,
    /// What it makes of definitions of agents in directories of its own, if it is not Claude Code.
    #[serde(skip)]
    pub definitions: Option<&'static Definitions>,
    /// What it makes of commands in directories of its own, if they are in Markdown.
    #[serde(skip)]
    pub command_definitions: Option<&'static Definitions>,
    /// Whether it reads commands in TOML.
    #[serde(skip)]
    pub toml_commands: bool,
    /// Settings of a project that it needs to understand, or it does not start.
    #[serde(skip)]
    pub required: Option<&'static Required>,
    /// Agents of the program that `agent` of a skill with `context: fork` can name. Without such names it does not fork.
    #[serde(skip)]
    pub fork_agents: Vec<String>,
    /// Files and directories at the top that show that a repository is used with it: see [`SIGNS`](skilltree_skills::roots::SIGNS).
    #[serde(skip)]
    pub signs: Vec<String>,
    /// Whether the first argument is `$0`; of other runtimes that replace `$N` it is `$1`, or unknown.
    #[serde(skip)]
    pub counts_from_zero: bool,
    /// Settings of the repository that keep skills from the model.
    #[serde(skip)]
    pub overrides: Option<Overrides>,
    /// Settings at the top that switch skills off.
    #[serde(skip)]
    pub switches: Option<Switches>,
    /// Files with hooks of the project, if it is not Claude Code.
    #[serde(skip)]
    pub project_hooks: Option<&'static ProjectHooks>,
    /// Files at the top whose permissions keep skills from the model, by name.
    #[serde(skip)]
    pub denials: Vec<String>,
    /// Outcome for a skill whose body is empty.
    pub empty_body: Option<Verdict>,
    /// Enforced limits.
    pub limits: Vec<Limit>,
    /// Identification of skills.
    pub identity: Identity,
    /// Handling of duplicate names.
    pub duplicates: Duplicates,
    /// Listing that the model is shown.
    pub listing: Listing,
    /// Size limit of the listing.
    pub budget: Option<Budget>,
    /// How a text mentions a skill by name.
    pub mentions: Mentions,
    /// Where and how it reports skills that it does not load.
    pub reports: Option<String>,
    /// Behavior that no key describes.
    pub strategy: Option<Strategy>,
    /// Features that it is known to lack: paths of [`cells`](super::cells::CELLS) without `loads.`.
    pub without: Vec<String>,
}

impl Loads {
    /// Returns what it makes of definitions in directories of its own.
    pub fn all_definitions(&self) -> impl Iterator<Item = &'static Definitions> {
        [self.definitions, self.command_definitions].into_iter().flatten()
    }

    /// Returns whether the profile says nothing about the files in the searched directories.
    pub fn is_about_directories_only(&self) -> bool {
        self.fence.is_none() && self.faults.0.is_empty() && self.fields.is_empty() && self.identity.by.is_none()
    }
}

/// Behavior that no key describes, named after the program that has it. It completes the keys of a profile and changes
/// none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Refuses a second SKILL.md.
    ClaudeApi,
    /// Shortens the descriptions that are used least, within a greatest share of the window. Shows lists as text, and a
    /// name next to the directory.
    ClaudeCode,
    /// Lists four bundled skills first. Quotes values that are no YAML alone. Reserves names of environment variables.
    Codex,
    /// Lists names in one line. Only an absent description is replaced, by three lines of the body.
    CopilotCli,
    /// Reads metadata as a map of scalars.
    Crush,
    /// Reads JSON objects. Lists no skill with an empty body.
    Droid,
    /// Joins the lines of a description.
    GeminiCli,
    /// Trims the YAML.
    Goose,
    /// Shows names in lowercase.
    Grok,
    /// Shows null as `None`, strips quotes, and skips the support directories of a skill.
    Hermes,
    /// Trims the YAML, and drops a skill whose YAML is null.
    Kimi,
    /// Trims the YAML, skips hidden groups, and lists no skill of some types.
    KimiCode,
    /// Reads block scalars line by line.
    Letta,
    /// Shortens descriptions to one length, next to its bundled skills. Replaces values that YAML reads as a mapping.
    Openclaw,
    /// Installs a skill in a directory with its name in lowercase.
    NpxSkills,
    /// Reads metadata as a map of strings.
    Mux,
    /// Selects a parser by a word after the opening fence. Repairs a second time only between exact fences, with LF line endings.
    Opencode,
    /// Rejects unknown keys that YAML does not read as strings. Cuts the middle out of a long description.
    Openhands,
    /// Skips ignored files.
    Pi,
    /// Reads block scalars line by line, joins the lines of a description, and drops a file of whitespace.
    Qoder,
    /// Shows lists as text, and `when_to_use` after a dash.
    QwenCode,
    /// Selects a parser by a word after the opening fence.
    Roo,
    /// Requires one of its roles.
    Swarm,
    /// Decodes UTF-16. Rejects half of a surrogate pair.
    Vibe,
}

/// Commands of a body that the program runs: code spans after an exclamation mark, as in `` !`git status` ``.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Commands {
    /// Those at the start of a line and after whitespace.
    AfterWhitespace,
}

/// How a program decides whether it may run a command of a body: it runs read-only commands and those that a field allows. Any other
/// command stops the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Tool whose entries in the field allow commands.
    pub tool: String,
    /// Field of the front matter.
    pub field: String,
    /// Placeholders that it replaces in a command and in the entries of the field.
    pub placeholders: Vec<String>,
    /// Commands that it knows to be read-only, by their first words.
    pub read_only: Vec<String>,
    /// Commands that it knows to be read-only as they are, without another word.
    pub alone: Vec<String>,
    /// Programs that it lets read only files of the project.
    pub readers: Vec<String>,
    /// Variables that it lets a command set.
    pub variables: Vec<String>,
}

/// An object in a settings file of the repository: what the model is shown of a skill, by its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overrides {
    /// The files, from the directory that contains the skills directory. A later one counts before those above it.
    pub files: Vec<String>,
    /// Key of the object.
    pub key: String,
    /// Values that hide a skill from the model.
    pub hides: Vec<String>,
    /// Values that hide the description only.
    pub names: Vec<String>,
    /// Values that hide nothing.
    pub shows: Vec<String>,
    /// The tool that starts skills, which the permissions of the file can deny.
    pub tool: String,
}

impl Overrides {
    /// Returns whether a file is read.
    #[must_use]
    pub fn reads(&self, file: &str) -> bool {
        self.files.iter().any(|known| known == file)
    }
}

/// Settings at the top that switch skills off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// The file.
    pub file: &'static str,
    /// Path of a list of names, in any letter case.
    pub names: Option<&'static str>,
    /// Path of a value that is `false` if no skill is listed.
    pub enabled: Option<&'static str>,
    /// Paths of lists of tools that the model does not have.
    pub tools: &'static [&'static str],
    /// Names of the tool that starts skills.
    pub tool: &'static [&'static str],
}

/// Hooks of a project in a file that a program reads.
#[derive(Debug, PartialEq, Eq)]
pub struct ProjectHooks {
    /// The file, or the directory of the files if it ends in a slash.
    pub file: &'static str,
    /// Events. It ignores all others.
    pub events: &'static [&'static str],
    /// Events of Claude Code, and those that are the same.
    pub same: &'static [(&'static str, &'static str)],
    /// Keys next to the events.
    pub next: &'static [&'static str],
    /// The only keys of the file; any if there are none.
    pub top: &'static [&'static str],
    /// Whether the file has a version, which is 1.
    pub is_versioned: bool,
    /// Whether an entry of an event has a list of hooks; otherwise it may be a hook itself.
    pub nested: bool,
    /// Kinds of hooks that it runs; a hook needs one of them.
    pub kinds: &'static [&'static str],
    /// Kinds of hooks that it leaves out alone.
    pub skipped: &'static [&'static str],
    /// Keys of a command, of which a hook has one.
    pub commands: &'static [&'static str],
    /// Key of the number of seconds.
    pub timeout: &'static str,
    /// Whether a hook that is malformed costs all of the file.
    pub is_strict: bool,
}

/// Hooks of the front matter that a program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// Events. It ignores all others.
    pub events: Vec<String>,
    /// Events whose hooks decide whether a tool may be used: where it does not understand one of these, it also leaves out what the hook
    /// may guard.
    pub guards: Vec<String>,
    /// Variables that are empty in a hook.
    pub empty: Vec<String>,
    /// Variable that is the directory of the skill; in a package, that of the package.
    pub directory: String,
}

/// Directory in which the program looks for skills.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Root {
    /// Path: relative to the repository's root, or with a leading `~` or `/`.
    pub path: String,
    /// Owner of the directory.
    pub scope: Scope,
    /// Where the search starts; defaults to the repository's root.
    #[serde(default)]
    pub from: Start,
    /// Condition under which the directory is read, as text.
    #[serde(default)]
    pub when: Option<String>,
    /// Whether the directory is read only if the ones before it of the same owner do not exist.
    #[serde(default)]
    pub otherwise: bool,
    /// Whether the prompt block includes its skills when user or system skills are requested.
    #[serde(default)]
    pub in_prompt: bool,
}

/// Owner of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The repository: the only roots that exist in CI.
    Repository,
    /// The user.
    User,
    /// The machine.
    System,
    /// The program itself.
    Bundled,
}

/// Where the search for a root of the repository starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The repository's root.
    #[default]
    Top,
    /// The working directory alone.
    WorkingDirectory,
    /// Every directory from the working directory up to the repository's root.
    Upwards,
    /// Every directory of the repository.
    Anywhere,
}

/// Deserializes a depth: a number of directories, or `"any"`.
pub(crate) fn depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a number of directories, or \"any\"")]
    enum Depth {
        Number(u32),
        Word(String),
    }
    match Depth::deserialize(deserializer)? {
        Depth::Number(number) => Ok(Some(number)),
        Depth::Word(word) if word == "any" => Ok(None),
        Depth::Word(word) => Err(D::Error::custom(format_args!("`depth` is a number or \"any\", not {word:?}"))),
    }
}
