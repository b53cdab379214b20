//! Arguments of `diff`: the states to compare, and the output.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Command, ValueEnum};

use super::Source;
use super::check::ends;

#[derive(Debug, Args)]
pub(in crate::cli) struct Diff {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// Compare with the merge base of REV; the default is HEAD
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = "Source")]
    pub(in crate::cli) base: Option<String>,
    /// Compare for PROFILE; can be repeated. The default is the configured targets, or else the runtimes that read a skills
    /// directory
    #[arg(long = "target", value_name = "PROFILE")]
    pub(in crate::cli) targets: Vec<String>,
    /// Compare for every profile
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Compare the prompt block of PROFILE instead of the default one
    #[arg(long, value_name = "PROFILE", help_heading = "Source")]
    pub(in crate::cli) profile: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DiffFormat::Text, help_heading = "Output")]
    pub(in crate::cli) format: DiffFormat,
    /// Compare revision A with B. `A...B` compares the merge base of both with B. Without it, the index is compared
    #[arg(value_name = "A..B", value_parser = range, group = "revision", conflicts_with = "base", help_heading = None)]
    pub(in crate::cli) range: Option<Range>,
}

impl Diff {
    /// Adds the arguments to a command. Unlike other commands, `diff` reads the index unless an argument names another state.
    pub(super) fn augment(command: Command) -> Command {
        let command = Self::augment_args(command);
        let command = command.mut_arg("staged", |arg| arg.help("Compare the index (staged files); the default"));
        command.mut_arg("worktree", |arg| arg.help("Compare the working tree"))
    }
}

/// Two revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Range {
    pub(in crate::cli) base: String,
    pub(in crate::cli) head: String,
    /// Whether the merge base takes the place of the base: three dots, as in `git diff`.
    pub(in crate::cli) is_symmetric: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffFormat {
    /// Text for people
    Text,
    /// Markdown for a comment on a pull request
    Markdown,
    /// JSON for programs
    Json,
}

fn range(word: &str) -> Result<Range, String> {
    if !word.contains("..") {
        return Err(format!("expected A..B; to compare the index with it, use `--base {word}`"));
    }
    let (base, head) = ends(word)?;
    Ok(Range { base, head, is_symmetric: word.contains("...") })
}
