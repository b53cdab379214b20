//! What a change newly lets an agent do.

use std::fmt;

use bstr::BString;

use super::SkillId;
use crate::markdown::code;
use skilltree_front_matter::text::{Place, joined};

/// Maximum number of characters shown of a text.
const SHOWN_CHARS: usize = 120;
/// Maximum number of programs and paths that a text names.
const NAMED: usize = 4;

/// Something that a skill or a package lets an agent do, and that its counterpart in the base did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gain {
    /// The skill; `None` for a package and for the project.
    pub skill: Option<SkillId>,
    /// What it is in a sentence: `plugin`; empty for a skill and for the project.
    pub noun: &'static str,
    /// The name of the skill or of the package; empty for the settings of the project.
    pub name: String,
    /// The path of the SKILL.md or of the manifest.
    pub path: BString,
    /// Where it is granted.
    pub place: Place,
    /// What is granted. `Display` continues a sentence whose subject is the name.
    pub power: Power,
}

/// What is granted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Power {
    /// A tool that it may use without asking.
    Tool(String),
    /// A tool that it newly has, and may have to ask for.
    Offered(String),
    /// Every tool, because no list limits them any more.
    AllTools,
    /// A tool that it was denied.
    Undenied(String),
    /// A tool that it had to ask for.
    Unasked(String),
    /// A command or a prompt that an event runs.
    Hook {
        /// The event, with its matcher.
        event: String,
        /// What runs.
        runs: String,
    },
    /// A command or a prompt that guarded what tools may do, and no longer runs.
    Unguarded {
        /// The event, with its matcher.
        event: String,
        /// What ran.
        runs: String,
    },
    /// A command of the body that runs when the skill loads; empty if it is too long.
    Command(String),
    /// Commands of the body after the first ones.
    MoreCommands,
    /// A file that an agent can run.
    Script {
        /// Its path from the directory of the skill.
        path: String,
        /// How it differs from the base.
        change: ScriptChange,
        /// What it newly does.
        acts: Vec<Act>,
    },
    /// A link to files that an agent can run.
    Link {
        /// Its path from the directory of the skill.
        path: String,
        /// Where it leads.
        target: String,
        /// What the file there newly does.
        acts: Vec<Act>,
    },
    /// A setting that chooses who does the work.
    Setting {
        /// The key.
        key: &'static str,
        /// The new value.
        value: String,
    },
    /// A setting that protected, and is gone.
    Unset {
        /// The key.
        key: &'static str,
        /// The value in the base.
        value: String,
    },
    /// A file of settings that its runtime ignores, because it is not valid.
    Ignored(&'static str),
    /// A file over a limit, so that nothing is known about what it newly grants.
    Unread {
        /// Its path.
        path: String,
        /// The size and the limit that it exceeds.
        why: String,
    },
    /// The model may start it.
    StartedByModel,
    /// A person may start it.
    StartedByPerson,
    /// A server of tools that the package starts or connects to.
    Server {
        /// The name.
        name: String,
        /// The command or the address.
        runs: String,
    },
    /// The place that a package now comes from.
    Source(String),
    /// Another program that a package starts.
    Program {
        /// What it is: `language server`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The command.
        runs: String,
    },
    /// Another commit of a submodule.
    Submodule {
        /// Its path from the directory of the skill.
        path: String,
        /// The commit.
        commit: String,
    },
}

/// How a script differs from the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptChange {
    /// It is new.
    Added {
        /// Whether it has the executable bit.
        is_executable: bool,
    },
    /// Its code differs.
    Changed,
    /// It was not executable.
    MadeExecutable,
}

/// Something that a script does, with the text that shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Act {
    /// The kind.
    pub kind: ActKind,
    /// The program, the call or the path.
    pub text: &'static str,
}

/// Kind of an [`Act`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActKind {
    /// It sends or receives data.
    Network,
    /// It reads the credentials of the user.
    Credentials,
    /// It runs commands.
    Commands,
}

impl Gain {
    /// Returns the subject of its sentence.
    #[must_use]
    pub fn subject(&self) -> String {
        let name = code(&self.name);
        match self.skill {
            Some(_) => name,
            None if self.name.is_empty() => "the project".to_owned(),
            None => format!("the {} {name}", self.noun),
        }
    }
}

impl Power {
    /// Returns its rank among others: what frees an agent from every question, or takes a guard away, comes before what starts something,
    /// and that before a single tool or file.
    #[must_use]
    pub fn rank(&self) -> u8 {
        let is_whole =
            |tool: &str| tool.split_once('(').is_none_or(|(_, pattern)| matches!(pattern, "*)" | ":*)" | "**)"));
        match self {
            Self::Tool(tool) | Self::Undenied(tool) | Self::Unasked(tool) if is_whole(tool) => 0,
            Self::Unguarded { .. } | Self::Unset { .. } | Self::Ignored(_) | Self::AllTools => 0,
            Self::Unread { .. } => 0,
            Self::Setting { .. } | Self::Hook { .. } | Self::Command(_) | Self::MoreCommands | Self::Server { .. } => 1,
            Self::Program { .. } | Self::Source(_) | Self::Submodule { .. } | Self::StartedByModel => 1,
            Self::Script { acts, .. } | Self::Link { acts, .. } if !acts.is_empty() => 1,
            _ => 2,
        }
    }

    /// Returns the word for it in data.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Tool(_) | Self::Offered(_) | Self::AllTools => "allowed-tool",
            Self::Undenied(_) => "tool-no-longer-denied",
            Self::Unasked(_) => "tool-no-longer-asked-for",
            Self::Hook { .. } => "hook",
            Self::Unguarded { .. } => "guard-removed",
            Self::Command(_) | Self::MoreCommands => "command",
            Self::Script { .. } | Self::Link { .. } => "script",
            Self::Setting { .. } | Self::Unset { .. } | Self::Ignored(_) => "setting",
            Self::Unread { .. } => "not-compared",
            Self::StartedByModel => "started-by-model",
            Self::StartedByPerson => "started-by-person",
            Self::Server { .. } => "server",
            Self::Source(_) => "source",
            Self::Program { .. } => "program",
            Self::Submodule { .. } => "submodule",
        }
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(tool) => write!(f, "may use {} without asking", shown(tool)),
            Self::Offered(tool) => write!(f, "has the tool {}", shown(tool)),
            Self::AllTools => write!(f, "has all tools"),
            Self::Undenied(tool) => write!(f, "is no longer denied {}", shown(tool)),
            Self::Unasked(tool) => write!(f, "no longer has to ask for {}", shown(tool)),
            Self::Hook { event, runs } => write!(f, "runs {} on {}", shown(runs), shown(event)),
            Self::Unguarded { event, runs } => write!(f, "no longer runs {} on {}", shown(runs), shown(event)),
            Self::Source(from) => write!(f, "now comes from {}", shown(from)),
            Self::Command(text) if text.is_empty() => write!(f, "runs a long command when it loads"),
            Self::Command(text) => write!(f, "runs {} when it loads", shown(text)),
            Self::MoreCommands => write!(f, "runs more commands when it loads"),
            Self::Script { path, change, acts } => {
                let path = shown(path);
                match change {
                    ScriptChange::Added { is_executable: true } => write!(f, "adds the executable file {path}")?,
                    ScriptChange::Added { is_executable: false } => write!(f, "adds the script {path}")?,
                    ScriptChange::Changed => write!(f, "changes the script {path}")?,
                    ScriptChange::MadeExecutable => write!(f, "makes {path} executable")?,
                }
                write_acts(f, acts)
            }
            Self::Link { path, target, acts } => {
                write!(f, "makes {} a link to {}", shown(path), shown(target))?;
                write_acts(f, acts)
            }
            Self::Setting { key, value } => write!(f, "sets {} to {}", code(key), shown(value)),
            Self::Program { kind, name, runs } => write!(f, "starts the {kind} {}: {}", shown(name), shown(runs)),
            Self::Submodule { path, commit } => write!(f, "sets the submodule {} to {}", shown(path), code(commit)),
            Self::Unset { key, value } => write!(f, "no longer sets {} to {}", code(key), shown(value)),
            Self::Ignored(path) => write!(f, "has no valid JSON in {}, which Claude Code ignores", code(path)),
            Self::Unread { path, why } => write!(f, "changes {}, which is not compared: {why}", code(path)),
            Self::StartedByModel => write!(f, "may be started by the model"),
            Self::StartedByPerson => write!(f, "may be started by a person"),
            Self::Server { name, runs } => write!(f, "uses the MCP server {}: {}", shown(name), shown(runs)),
        }
    }
}

fn write_acts(f: &mut fmt::Formatter<'_>, acts: &[Act]) -> fmt::Result {
    let said = [ActKind::Network, ActKind::Credentials, ActKind::Commands].map(|kind| phrase(kind, acts));
    let said: Vec<String> = said.into_iter().flatten().collect();
    if said.is_empty() { Ok(()) } else { write!(f, ", which {}", joined(&said)) }
}

/// Describes the acts of one kind: `uses the network (`curl`)`.
fn phrase(kind: ActKind, acts: &[Act]) -> Option<String> {
    let texts: Vec<String> = acts.iter().filter(|act| act.kind == kind).map(|act| code(act.text)).collect();
    let verb = match kind {
        ActKind::Network => "uses the network",
        ActKind::Credentials => "names credentials",
        ActKind::Commands => "runs commands",
    };
    let more = texts.len().saturating_sub(NAMED);
    let named = texts[..texts.len() - more].join(", ");
    match (texts.is_empty(), more) {
        (true, _) => None,
        (_, 0) => Some(format!("{verb} ({named})")),
        _ => Some(format!("{verb} ({named} and {more} more)")),
    }
}

/// Formats foreign text as a code span of one line.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    let count = words.chars().count();
    if count <= SHOWN_CHARS {
        return code(&words);
    }
    // What a long command does in the end must not be hidden by how it begins.
    let part = SHOWN_CHARS / 2;
    let head: String = words.chars().take(part).collect();
    let tail: String = words.chars().skip(count - part).collect();
    code(&format!("{} … {}", head.trim_end(), tail.trim_start()))
}
