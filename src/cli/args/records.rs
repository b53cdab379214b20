//! What agents write down beside the skills.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use skilltree::records::{CATEGORIES, is_scope};
use skilltree::render::Format;

use super::{FailOn, ReadFormat, Source, fail_on, format};

#[derive(Debug, Args)]
pub(in crate::cli) struct Thread {
    #[command(subcommand)]
    pub(in crate::cli) action: ThreadAction,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ThreadAction {
    /// Bind a skill to a thread, in front of the others; one that is bound already stays where it is
    Bind(Binding),
    /// Take a skill from a thread; one that is not bound is no failure
    Unbind(Binding),
    /// List the threads with what they bind, and the skills that can be bound
    List(ThreadList),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Binding {
    /// The thread: any text that tells it from others
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) thread: Option<String>,
    /// The name of the skill, or of its directory
    pub(in crate::cli) name: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ThreadList {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// The format on standard output
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
    /// Add an entry; exits with 1 when it is there already, or the contributor added another one less than 30 seconds ago
    Add(KnowledgeAdd),
    /// Print the entries that TEXT is about, the best first
    Query(KnowledgeQuery),
    /// Judge the file, and with `--base` whether it only grew
    Check(KnowledgeCheck),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeAdd {
    /// What was learned, in words
    #[arg(long, value_name = "TEXT", value_parser = filled)]
    pub(in crate::cli) content: String,
    /// What it is: pattern, gotcha, convention, tip
    #[arg(long, value_name = "CATEGORY", value_parser = CATEGORIES)]
    pub(in crate::cli) category: String,
    /// Who says so
    #[arg(long, value_name = "ID", value_parser = filled)]
    pub(in crate::cli) contributor: String,
    /// What it holds for: `global`, or `task:ID`
    #[arg(long, value_name = "SCOPE", value_parser = scope)]
    pub(in crate::cli) scope: String,
    /// The task in which it was learned
    #[arg(long, value_name = "REF", value_parser = filled)]
    pub(in crate::cli) task_ref: Option<String>,
    /// The time instead of the clock's, as 2026-11-20T12:00:00Z
    #[arg(long, value_name = "TIME", hide = true)]
    pub(in crate::cli) now: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeQuery {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// Print the entries too that hold for the task ID alone
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) task_id: Option<String>,
    /// Print at most N entries
    #[arg(long, value_name = "N")]
    pub(in crate::cli) top: Option<usize>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(in crate::cli) format: ReadFormat,
    /// What it is about, in anybody's words
    #[arg(help_heading = None)]
    pub(in crate::cli) text: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct KnowledgeCheck {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// Prove that the file only grew since the merge base with REV
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = "Source")]
    pub(in crate::cli) base: Option<String>,
    /// The format on standard output: full, concise, json, sarif, github, markdown
    #[arg(long, value_name = "FORMAT", value_parser = format, default_value = "full", help_heading = "Output")]
    pub(in crate::cli) format: Format,
    /// Exit with 1 when a finding is at LEVEL or above: note, warning, error, never
    #[arg(long, value_name = "LEVEL", value_parser = fail_on, default_value = "error", help_heading = "Verdict")]
    pub(in crate::cli) fail_on: FailOn,
}

fn filled(word: &str) -> Result<String, String> {
    if word.trim().is_empty() { Err("expected some words".into()) } else { Ok(word.to_owned()) }
}

fn scope(word: &str) -> Result<String, String> {
    if is_scope(word) { Ok(word.to_owned()) } else { Err("expected `global`, or `task:` and the id of a task".into()) }
}
