//! Definitions of agents that name the skills which the agent is given when it starts.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};
use skilltree_front_matter::text::{self, FileId, Place, Spanned};
use skilltree_front_matter::{self as front_matter, Bounds, Excess, Fault, Field, Node, NodeKind, ScalarKind, What};

use crate::roots;

/// The directory of the definitions.
pub const AGENTS: &str = ".claude/agents";

/// The directory of commands, which a definition can name like skills.
pub const COMMANDS: &str = ".claude/commands";

/// Directories of definitions of agents and commands of other programs, each with the ending of their files.
pub const OTHERS: [(&str, &str); 8] = [
    (".codex/agents", ".toml"),
    (".gemini/agents", ".md"),
    (".github/agents", ".md"),
    (".opencode/agent", ".md"),
    (".opencode/agents", ".md"),
    (".opencode/command", ".md"),
    (".opencode/commands", ".md"),
    (".qwen/agents", ".md"),
];

/// Settings of a project for Codex, which are read with the definitions.
pub const CODEX_CONFIG: &str = ".codex/config.toml";

/// The directory of commands in TOML.
pub const TOML_COMMANDS: &str = ".gemini/commands";

/// Models that every version of Claude Code knows by these names.
const MODELS: [&str; 4] = ["haiku", "inherit", "opus", "sonnet"];

/// Returns the name of a model that a word misspells by one letter.
pub fn meant_model(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    text::one_letter_off(&word, MODELS).filter(|_| !MODELS.contains(&word.as_str()))
}

/// What has the definition of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The project, for Claude Code.
    Project,
    /// A plugin.
    Plugin,
    /// A plugin whose manifest Claude Code does not read.
    OtherPlugin,
    /// The project or an extension, for the programs with commands in TOML: not an agent, but a command.
    Command,
    /// A command in Markdown where commands are in TOML.
    MarkdownCommand,
    /// The project, for the programs that read this one of [`OTHERS`].
    Other(&'static str),
}

/// Other names of these directories. No program reads them.
const SPELLINGS: [(&str, &str); 10] = [
    ("agent", AGENTS),
    ("agents", AGENTS),
    ("sub-agents", AGENTS),
    ("subagent", AGENTS),
    ("subagents", AGENTS),
    ("cmds", COMMANDS),
    ("command", COMMANDS),
    ("commands", COMMANDS),
    ("slash-commands", COMMANDS),
    ("slashcommands", COMMANDS),
];

/// Returns the directory of agents or commands that a path almost names.
pub fn meant(path: &BStr) -> Option<&'static str> {
    let name = roots::relative(path, BStr::new(".claude"))?.to_str().ok()?;
    let other = SPELLINGS.iter().find(|(other, _)| name.eq_ignore_ascii_case(other)).map(|(_, meant)| *meant);
    let near = || text::one_letter_off(path.to_str().ok()?, [AGENTS, COMMANDS]);
    other.or_else(near).filter(|meant| path != *meant)
}

/// Keys that have no effect in an agent, or none in that of a plugin, and those that name tools or have a type in some program.
pub const SUSPECT_KEYS: [&str; 15] = [
    "allowed-tools",
    "allowed_tools",
    "allowedTools",
    "disallowed-tools",
    "disallowedTools",
    "disallowed_tools",
    "disable-model-invocation",
    "hooks",
    "infer",
    "mcp-servers",
    "mcpServers",
    "permissionMode",
    "skills",
    "tools",
    "user-invocable",
];

/// The agents of a repository that name skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agents {
    /// The agents, by path.
    pub all: Vec<Agent>,
    /// The names of the commands; none if no agent names a skill.
    pub commands: BTreeSet<String>,
    /// The names of all agents.
    pub names: BTreeSet<String>,
    /// Agents with the name of another one.
    pub twins: Vec<Twins>,
}

/// Two agents with one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twins {
    /// The name.
    pub name: String,
    /// The first file with it, and the other.
    pub files: [FileId; 2],
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its file.
    pub file: FileId,
    /// Its name.
    pub name: String,
    /// The names of its skills.
    pub skills: Vec<Spanned<String>>,
}

impl Agent {
    /// Reads a definition; `None` if it is none. Also returns whether something in it may have no effect: its front matter is missing or
    /// does not parse, or has one of [`SUSPECT_KEYS`] or a misspelled model.
    ///
    /// # Errors
    /// The limit that its front matter exceeds.
    pub(crate) fn read(file: FileId, text: &[u8], bounds: Bounds) -> Result<(Option<Self>, bool), Excess> {
        let reading = front_matter::read(file, text, bounds);
        match excess(&reading.faults) {
            Some(excess) => Err(excess),
            None => {
                let fields = reading.front_matter.and_then(|front_matter| front_matter.fields);
                let is_misspelled =
                    |field: &Field| field.key.value == "model" && field.value.scalar().and_then(meant_model).is_some();
                let is_suspect =
                    |field: &Field| SUSPECT_KEYS.contains(&field.key.value.as_str()) || is_misspelled(field);
                let is_text = |fields: &[Field], key: &str| {
                    let is_word = |node: &Node| matches!(&node.kind, NodeKind::Scalar { text, kind: ScalarKind::Text, .. } if !text.trim().is_empty() && (key != "name" || !text.contains(':')));
                    fields.iter().any(|field| field.key.value == key && is_word(&field.value))
                };
                let is_suspect = !reading.faults.is_empty()
                    || fields.as_ref().is_none_or(|fields| {
                        fields.iter().any(is_suspect) || !is_text(fields, "name") || !is_text(fields, "description")
                    });
                Ok((fields.and_then(|fields| Self::of(file, text, &fields)), is_suspect))
            }
        }
    }

    fn of(file: FileId, text: &[u8], fields: &[Field]) -> Option<Self> {
        let value = |key: &str| fields.iter().find(|field| field.key.value == key).map(|field| &field.value);
        let name = value("name")?.scalar().map(str::trim).filter(|name| !name.is_empty())?;
        let skills = match value("skills") {
            Some(Node { kind: NodeKind::List(items), .. }) => items.iter().flat_map(|item| names(item, text)).collect(),
            Some(named) => names(named, text),
            None => Vec::new(),
        };
        Some(Self { file, name: name.to_owned(), skills })
    }

    /// Returns about how many bytes it takes.
    pub(crate) fn kept_bytes(&self) -> usize {
        let skills = self.skills.iter().map(|skill| size_of_val(skill) + skill.value.len());
        size_of::<Self>() + self.name.len() + skills.sum::<usize>()
    }
}

/// Returns the limit that front matter exceeds.
pub fn excess(faults: &[Fault]) -> Option<Excess> {
    faults.iter().find_map(|fault| match fault.what {
        What::TooComplex(excess) => Some(excess),
        _ => None,
    })
}

/// Returns the names in a string, which commas and spaces separate, each with its place if the file has it as it is.
fn names(node: &Node, text: &[u8]) -> Vec<Spanned<String>> {
    let mut rest = node.place.range();
    let words = node.scalar().unwrap_or_default().split([',', ' ']).filter(|word| !word.is_empty());
    let found = words.map(|word| {
        let at = text.get(rest.clone()).and_then(|written| written.find(word)).map(|at| rest.start + at);
        let place = at.map_or(node.place, |at| Place::new(node.place.file, at..at + word.len()));
        // After a word that is written otherwise, no other is looked for.
        rest.start = at.map_or(rest.end, |at| at + word.len());
        Spanned { value: word.to_owned(), place }
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_with_their_places() {
        let named = |skills: &str| {
            let text = format!("---\nname: rev\nskills: {skills}\n---\n");
            let agent = Agent::read(FileId(0), text.as_bytes(), Bounds::NONE).unwrap().0?;
            Some(
                agent
                    .skills
                    .iter()
                    .map(|skill| format!("{} {}", skill.value, &text[skill.place.range()]))
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(named("a, ab b").unwrap(), ["a a", "ab ab", "b b"]);
        assert_eq!(named("[a, 'b c']").unwrap(), ["a a", "b b", "c c"]);
        assert_eq!(named("\"\\x61, b\"").unwrap(), ["a \"\\x61, b\"", "b \"\\x61, b\""]);
        assert_eq!(named("{a: b}").unwrap(), [""; 0]);
        assert_eq!(named("").unwrap(), [""; 0]);
    }
}
