//! What agents write down beside the skills.

use clap::{Args, Subcommand};

use super::{ReadFormat, Source};

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
