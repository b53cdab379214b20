//! `prompt`: which block is built, and where it goes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Source, beside, selection};

#[derive(Debug, Args)]
pub(in crate::cli) struct Prompt {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    #[command(flatten)]
    pub(in crate::cli) beside: beside::Beside,
    /// Render as PROFILE (agentskills, amacs, camel, majordomo, swarm, symphony), from its own roots; without it symphony's block over every root
    #[arg(long, value_name = "PROFILE", help_heading = "Output")]
    pub(in crate::cli) profile: Option<String>,
    /// Write the block, its index and a comment about skipped skills to DIR; nothing goes to standard output
    #[arg(long, value_name = "DIR", group = "destination", help_heading = "Output")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Build in memory and compare with DIR; exit with 1 when something differs
    #[arg(long, value_name = "DIR", group = "destination", help_heading = "Output")]
    pub(in crate::cli) verify: Option<PathBuf>,
    /// What to print on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PromptFormat::Block, conflicts_with = "destination", help_heading = "Output")]
    pub(in crate::cli) format: PromptFormat,
    /// Make the block by the macros of the template at PATH, a path from the repository's root: it is read from where the
    /// configuration is read, which may name one too (`template` below `[prompt]`)
    #[arg(long, value_name = "PATH", conflicts_with = "format", help_heading = "Output")]
    pub(in crate::cli) template: Option<String>,
    /// Build one block for each root, into DIR/ROOT
    #[arg(long, requires = "destination", conflicts_with_all = ["user_roots", "external"], help_heading = "Output")]
    pub(in crate::cli) per_root: bool,
    #[command(flatten)]
    pub(in crate::cli) selection: selection::Selection,
    #[command(flatten)]
    pub(in crate::cli) budget: selection::Budget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PromptFormat {
    /// The block as a dispatcher injects it
    Block,
    /// The index of the block
    Json,
    /// A message a skill with its body, one JSON object a line
    Messages,
}
