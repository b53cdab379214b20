//! Arguments of `agent`: the records that agents keep next to the skills.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use skilltree_report::render::Format;
use skilltree_skills::records::{CATEGORIES, is_scope};

use super::external::External;
use super::number;
use super::{FailOn, ReadFormat, Source, fail_on, format};

#[derive(Debug, Args)]
pub(in crate::cli) struct Agent {
    #[command(subcommand)]
    pub(in crate::cli) records: AgentRecords,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum AgentRecords {
    /// Bind skills to the threads of an agent, or list the bindings
    Thread(Thread),
    /// Add, query or check entries of the shared knowledge in .agent/knowledge.jsonl
    Knowledge(Knowledge),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Thread {
    #[command(subcommand)]
    pub(in crate::cli) action: ThreadAction,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ThreadAction {
    /// Bind a skill to a thread, before its other skills; an existing binding keeps its position
    Bind(Binding),
    /// Remove a skill from a thread; does nothing if it is not bound
    Unbind(Binding),
    /// Make a thread the active one: the default of the other commands and of `prompt --thread`
    Activate(Activation),
    /// List the threads with their skills, and the skills that can be bound
    List(ThreadList),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Binding {
    #[command(flatten)]
    pub(in crate::cli) external: External,
    /// The id of the thread: any unique string; the default is the active thread
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) thread: Option<String>,
    /// The directory of the skill
    pub(in crate::cli) name: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Activation {
    /// The id of the thread: any unique string
    #[arg(value_name = "ID", value_parser = filled)]
    pub(in crate::cli) thread: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ThreadList {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    #[command(flatten)]
    pub(in crate::cli) external: External,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(in crate::cli) format: ReadFormat,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Knowledge {
    #[command(subcommand)]
    pub(in crate::cli) action: KnowledgeAction,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KnowledgeAction {
    /// Add an entry, unless it exists; exits with 1 if the contributor added an entry less than 30 seconds ago
    Add(KnowledgeAdd),
    /// Print the entries that match TEXT, best first
    Query(KnowledgeQuery),
    /// Check the file; with `--base`, also check that entries were only appended
    Check(KnowledgeCheck),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeAdd {
    /// What was learned; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = filled)]
    pub(in crate::cli) content: String,
    /// The category: pattern, gotcha, convention, tip
    #[arg(long, value_name = "CATEGORY", value_parser = CATEGORIES)]
    pub(in crate::cli) category: String,
    /// The id of the contributor
    #[arg(long, value_name = "ID", value_parser = filled)]
    pub(in crate::cli) contributor: String,
    /// Where it applies: `global`, or `task:ID`
    #[arg(long, value_name = "SCOPE", value_parser = scope)]
    pub(in crate::cli) scope: String,
    /// The task in which it was learned
    #[arg(long, value_name = "REF", value_parser = filled)]
    pub(in crate::cli) task_ref: Option<String>,
    /// The time to use instead of the clock, such as 2026-11-20T12:00:00Z
    #[arg(long, value_name = "TIME", hide = true)]
    pub(in crate::cli) now: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeQuery {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// Also print the entries that apply only to the task ID
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) task_id: Option<String>,
    /// Print at most N entries
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    pub(in crate::cli) top: Option<usize>,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(in crate::cli) format: ReadFormat,
    /// The words to search for; `-` reads them from standard input
    #[arg(help_heading = None, allow_hyphen_values = true)]
    pub(in crate::cli) text: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeCheck {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// Check that entries were only appended since the merge base with REV
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = "Source")]
    pub(in crate::cli) base: Option<String>,
    #[arg(help = format!("The output format: {}", Format::list()), long, value_name = "FORMAT", value_parser = format, default_value = "full", help_heading = "Output")]
    pub(in crate::cli) format: Format,
    /// Exit with 1 if a finding has severity LEVEL or higher: note, warning, error, never
    #[arg(long, value_name = "LEVEL", value_parser = fail_on, default_value = "error", help_heading = "Exit status and rules")]
    pub(in crate::cli) fail_on: FailOn,
}

fn filled(word: &str) -> Result<String, String> {
    if word.trim().is_empty() { Err("expected a value that is not empty".into()) } else { Ok(word.to_owned()) }
}

fn scope(word: &str) -> Result<String, String> {
    if is_scope(word) {
        Ok(word.to_owned())
    } else {
        Err("expected `global`, or `task:` followed by the id of a task".into())
    }
}
