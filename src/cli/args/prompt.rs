//! Arguments of `prompt`: the block to build, and where to write it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Source, external, selection};

#[derive(Debug, Args)]
pub(in crate::cli) struct Prompt {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    #[command(flatten)]
    pub(in crate::cli) external: external::External,
    /// Build the block of PROFILE from its skills directories
    ///
    /// The profiles are agentskills, amacs, camel, majordomo, swarm and symphony. The default is the symphony block over all
    /// skills directories.
    #[arg(long, value_name = "PROFILE", help_heading = "Output")]
    pub(in crate::cli) profile: Option<String>,
    /// Write the block, its index and a comment about skipped skills to DIR
    #[arg(long, value_name = "DIR", group = "destination", help_heading = "Output")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Compare DIR with a new build; exit with 1 if they differ
    ///
    /// Without other options, the build has the options that DIR records.
    #[arg(long, value_name = "DIR", group = "destination", help_heading = "Output")]
    pub(in crate::cli) verify: Option<PathBuf>,
    /// Print nothing if the output would be that of DIGEST, the member `source.digest` of skills.json; needs no skill to be read
    #[arg(long, value_name = "DIGEST", help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) if_changed: Option<String>,
    /// Embed the bodies of all skills in catalog.json
    #[arg(long, requires = "destination", help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) bodies: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PromptFormat::Block, conflicts_with = "destination", help_heading = "Output")]
    pub(in crate::cli) format: PromptFormat,
    /// Build the block with the macros of the template at PATH, relative to the repository root. It is read from the same
    /// source as the configuration, where `template` in `[prompt]` sets the default
    #[arg(long, value_name = "PATH", conflicts_with = "format", help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) template: Option<String>,
    /// Set the severity of a rule: off, note, warning, error. A skill with an error is skipped
    #[arg(long = "rule", value_name = "ID=LEVEL", help_heading = "Selection", hide_short_help = true)]
    pub(in crate::cli) rules: Vec<String>,
    /// Build one block per skills directory, in DIR/ROOT
    #[arg(long, requires = "destination", conflicts_with_all = ["user", "directories"], help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) per_root: bool,
    #[command(flatten)]
    pub(in crate::cli) selection: selection::Selection,
    #[command(flatten)]
    pub(in crate::cli) budget: selection::Budget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PromptFormat {
    /// The prompt block
    Block,
    /// The index of the block
    Json,
    /// One message per skill, with its body, as one JSON object per line
    Messages,
}
