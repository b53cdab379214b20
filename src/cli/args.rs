//! What can be typed, validated and nothing more.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) mod beside;
mod check;
mod commands;
mod deferred;
mod hook;
mod prompt;
pub(super) mod records;
pub(super) mod selection;

pub(super) use self::check::{Check, FailOn, fail_on, format};
pub(super) use self::commands::{Asked, asked, command, words};
use self::deferred::Deferred;
pub(super) use self::hook::{Hook, HookAction, HookName};
pub(super) use self::prompt::{Prompt, PromptFormat};
use super::watch::Watch;

/// A linter for agent skills that reads the git index or tree, and hands over a prompt block it has proved.
///
/// Without a command, `check` is meant.
#[derive(Debug, Parser)]
#[command(
    name = "skilltree",
    version,
    override_usage = "skilltree [OPTIONS] [COMMAND]",
    max_term_width = 100,
    arg_required_else_help = false
)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Judge skills and say what is wrong with them
    Check(Deferred<Check>),
    /// Mend what can be mended in the work tree, and prove that nothing else changes
    Fix(Deferred<Fix>),
    /// Build the prompt block that a dispatcher injects
    Prompt(Deferred<Prompt>),
    /// List the skills that may enter a prompt
    List(Deferred<List>),
    /// Print the body of one skill
    Show(Deferred<Show>),
    /// Write a skill to begin with
    New(Deferred<New>),
    /// Write a configuration, and say how to adopt it, hooks and a workflow step by step
    Init(Deferred<Init>),
    /// Install, remove or be a hook of git
    Hook(Deferred<Hook>),
    /// Explain a rule, or list all rules
    Explain(Deferred<Explain>),
    /// Print what each runtime loads, changes and drops
    Forecast(Deferred<Forecast>),
    /// Print what is known of the runtimes, or of one of them
    Profiles(Deferred<Profiles>),
    /// Bind skills to the threads of an agent, and say which are bound
    Thread(Deferred<records::Thread>),
    /// Add to what agents learned, look into it, and judge the file it stands in
    Knowledge(Deferred<records::Knowledge>),
    /// Print the commands that make the roots collections of qmd, a search engine for Markdown; nothing is run
    QmdSetup(Deferred<QmdSetup>),
    /// Print a completion script for a shell
    Completions(Deferred<Completions>),
    /// Print the manual page
    Man,
    /// Print a JSON Schema: of an output, of skilltree.toml, of the front matter of a skill
    Schema(Deferred<Schema>),
}

/// What every command understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Common {
    /// Change to DIR first
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, global = true)]
    pub(super) color: Color,
    /// Use N threads, instead of one for each processor and at most 8
    #[arg(long, value_name = "N", value_parser = jobs, global = true)]
    pub(super) jobs: Option<usize>,
    /// End with status 2 when it takes longer than DURATION: 500ms, 60s, 2m; without it a run may take any time
    #[arg(long, value_name = "DURATION", value_parser = duration, global = true)]
    pub(super) max_time: Option<Duration>,
    /// Say nothing but findings and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Say what was read
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
    /// Not typed: who watches over the run.
    #[arg(skip)]
    pub(super) watch: Watch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Where skills are read from, and by which configuration.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Source")]
pub(super) struct Source {
    /// Read the index: what the next commit will hold
    #[arg(long, group = "revision")]
    pub(super) staged: bool,
    /// Read the tree of REV: a commit, a tag, a branch
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), group = "revision")]
    pub(super) rev: Option<String>,
    /// Read the work tree; the default, except in a hook (the index) and in a bare repository (HEAD)
    #[arg(long, group = "revision")]
    pub(super) worktree: bool,
    /// Take the configuration from FILE instead of the repository's skilltree.toml
    #[arg(long, value_name = "FILE", group = "configuration")]
    pub(super) config: Option<PathBuf>,
    /// Take the configuration from the tree of REV
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), group = "configuration")]
    pub(super) config_from: Option<String>,
    /// Read no configuration file
    #[arg(long, group = "configuration")]
    pub(super) no_config: bool,
    /// Read the directories that GLOB matches too, by the layout of PROFILE: agentskills (if none is given) or symphony
    #[arg(long = "root", value_name = "GLOB[=PROFILE]")]
    pub(super) roots: Vec<String>,
    /// Judge by the rules that the edition does not have too; they warn at most
    #[arg(long)]
    pub(super) preview: bool,
    /// Take DAY as today (YYYY-MM-DD) instead of the day of the commit that is judged
    #[arg(long, value_name = "DAY")]
    pub(super) today: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Fix {
    #[command(flatten)]
    pub(super) source: Source,
    /// Write nothing; print a patch that `git apply` takes, and exit with 1 when there is one
    #[arg(long, help_heading = "Edits")]
    pub(super) diff: bool,
    /// Make those edits too that may change what a skill means; read the patch
    #[arg(long = "unsafe", help_heading = "Edits")]
    pub(super) unsafe_edits: bool,
    /// Edit skills too that have a signature beside them, which then no longer holds
    #[arg(long, help_heading = "Edits")]
    pub(super) signed: bool,
    /// Edit only these skills
    #[arg(value_name = "PATH", help_heading = None)]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) beside: beside::Beside,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReadFormat {
    /// To be read
    Text,
    /// To be parsed
    Json,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) beside: beside::Beside,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
    /// The name of the skill, or of its directory
    #[arg(help_heading = None)]
    pub(super) name: String,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The id of the rule; without it the rules are listed
    pub(super) rule: Option<String>,
    /// Explain every rule
    #[arg(long, conflicts_with = "rule")]
    pub(super) all: bool,
    /// The format on standard output: Markdown, drawn on a terminal, or JSON
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text)]
    pub(super) format: ReadFormat,
}

#[derive(Debug, Args)]
pub(super) struct Forecast {
    #[command(flatten)]
    pub(super) source: Source,
    /// Forecast for PROFILE; can be given several times. Without it for the configuration's targets, else for every profile
    #[arg(long = "target", value_name = "PROFILE")]
    pub(super) targets: Vec<String>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ForecastFormat::Table, help_heading = "Output")]
    pub(super) format: ForecastFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ForecastFormat {
    /// To be read: skills down, runtimes across
    Table,
    /// To be parsed
    Json,
}

#[derive(Debug, Args)]
pub(super) struct Profiles {
    #[command(flatten)]
    pub(super) source: Source,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
    /// The name of the profile; without it the profiles are listed
    #[arg(help_heading = None)]
    pub(super) name: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct QmdSetup {
    #[command(flatten)]
    pub(super) source: Source,
    /// What the printed searches look for
    #[arg(long, value_name = "TEXT", default_value = "QUERY")]
    pub(super) query: String,
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct Schema {
    /// The name of the schema; without it the names are listed
    pub(super) name: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct New {
    /// The directory of skills to write it to; without it the first root there is, else .agent/skills
    #[arg(long, value_name = "ROOT")]
    pub(super) root: Option<String>,
    /// The name: small letters and digits, joined by single hyphens
    pub(super) name: String,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Install the hooks that judge each commit; `skilltree hook install` does the same
    #[arg(long)]
    pub(super) hook: bool,
    /// Write a workflow for GitHub Actions to .github/workflows/skills.yml
    #[arg(long)]
    pub(super) workflow: bool,
}

fn jobs(word: &str) -> Result<usize, String> {
    match word.parse() {
        Ok(jobs @ 1..=1024) => Ok(jobs),
        _ => Err("expected a number from 1 to 1024".into()),
    }
}

/// A number and its unit; a day is as long as anybody waits.
fn duration(word: &str) -> Result<Duration, String> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = word.split_at(digits);
    let unit = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    match number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)) {
        Some(milliseconds @ 1..=86_400_000) => Ok(Duration::from_millis(milliseconds)),
        _ => Err("expected a number and its unit, from 1ms to 24h, for example 60s or 2m".into()),
    }
}
