//! The arguments of the command line, validated.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

mod check;
mod commands;
mod deferred;
mod diff;
pub(super) mod external;
#[cfg(feature = "fleet")]
mod fleet;
mod hook;
mod prompt;
pub(super) mod records;
pub(super) mod selection;
pub(super) mod typed;

pub(super) use self::check::{Check, FailOn, fail_on, format};
pub(super) use self::commands::{Asked, asked, check_options, command, first_page, inner, words};
use self::deferred::Deferred;
pub(super) use self::diff::{Diff, DiffFormat};
#[cfg(feature = "fleet")]
pub(super) use self::fleet::Fleet;
pub(super) use self::hook::{Hook, HookAction, HookName};
pub(super) use self::prompt::{Prompt, PromptFormat};
use super::watch::Watch;
use crate::options::Overrides;

/// A linter for agent skills: checks the index, a revision or the working tree.
///
/// Also builds prompt blocks. With no command, runs `check`.
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
    /// Check skills and report problems; the default command
    #[command(alias = "lint")]
    Check(Deferred<Check>),
    /// Fix findings, and verify that nothing else changed
    Fix(Deferred<Fix>),
    /// Build the prompt block that a dispatcher injects
    Prompt(Deferred<Prompt>),
    /// List the skills that can enter a prompt: those without an error
    List(Deferred<List>),
    /// Print the body of one skill
    Show(Deferred<Show>),
    /// Create a starter skill
    New(Deferred<New>),
    /// Check skills while you type: a language server for editors
    #[cfg(feature = "lsp")]
    Lsp(Deferred<Lsp>),
    /// Create skilltree.toml and print the next steps
    Init(Deferred<Init>),
    /// Install, remove or run Git hooks
    Hook(Deferred<Hook>),
    /// Explain a rule, or list all rules
    Explain(Deferred<Explain>),
    /// Print what a change does for skills, prompt block and runtimes
    Diff(Deferred<Diff>),
    /// Print what each runtime loads, changes and drops
    Forecast(Deferred<Forecast>),
    /// Print the tokens that skills take, and what to cut
    Cost(Deferred<Cost>),
    /// Write tables about many repositories
    #[cfg(feature = "fleet")]
    Fleet(Deferred<Fleet>),
    /// List the runtime profiles, or print one
    Profiles(Deferred<Profiles>),
    /// Manage the threads and the shared knowledge of agents
    Agent(Deferred<records::Agent>),
    /// Print a shell completion script
    Completions(Deferred<Completions>),
    /// Print the manual page of a command, or write all pages
    Man(Deferred<Man>),
    /// Print the JSON Schema of an output, skilltree.toml or SKILL.md
    Schema(Deferred<Schema>),
}

impl Command {
    /// Returns whether it reads one repository once, so that its time has a limit.
    pub(super) fn is_of_one_repository(&self) -> bool {
        #[cfg(feature = "fleet")]
        let is_of_many = matches!(self, Self::Fleet(_));
        #[cfg(not(feature = "fleet"))]
        let is_of_many = false;
        #[cfg(feature = "lsp")]
        let is_of_many = is_of_many || matches!(self, Self::Lsp(_));
        !is_of_many
    }
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Common {
    /// Change to DIR first; relative paths start there
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,
    /// When to use color
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, global = true, hide_short_help = true)]
    pub(super) color: Color,
    /// Use N threads; the default is one per processor, at most 8
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true, global = true, hide_short_help = true)]
    pub(super) jobs: Option<usize>,
    /// Stop with exit status 2 after DURATION, for example 500ms, 60s or 2m; without it, after 30s of processor time
    #[arg(long, value_name = "DURATION", value_parser = duration, global = true, hide_short_help = true)]
    pub(super) max_time: Option<Duration>,
    /// Print only findings and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Also print skills directories, readers and profile versions
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
    /// The state of the run; not an argument.
    #[arg(skip)]
    pub(super) watch: Watch,
}

impl Common {
    /// Applies the global options of another command line, except `-C`, to those that are not set here.
    pub(super) fn adopt(&mut self, other: &Self) {
        self.color = if self.color == Color::Auto { other.color } else { self.color };
        self.jobs = self.jobs.or(other.jobs);
        self.max_time = self.max_time.or(other.max_time);
        self.quiet |= other.quiet;
        self.verbose |= other.verbose;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal or with FORCE_COLOR, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The source of the skills and of the configuration.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Source")]
pub(super) struct Source {
    /// Read the index (staged files): what the next commit will contain
    #[arg(long, group = "revision")]
    pub(super) staged: bool,
    /// Read the tree of REV: a commit, tag or branch
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), group = "revision")]
    pub(super) rev: Option<String>,
    /// Read the working tree; the default, except in a hook (the index) and in a bare repository (HEAD)
    #[arg(long, group = "revision")]
    pub(super) worktree: bool,
    #[command(flatten)]
    pub(super) overrides: Overrides,
}

#[derive(Debug, Args)]
#[command(
    mut_arg("staged", |arg| arg.help("With `--diff`, read the index (staged files) instead of the working tree")),
    mut_arg("rev", |arg| arg.help("With `--diff`, read the tree of REV: a commit, tag or branch")),
    mut_arg("worktree", |arg| arg.help("Read the working tree, where `fix` writes; the default, also in a hook"))
)]
pub(super) struct Fix {
    #[command(flatten)]
    pub(super) source: Source,
    /// Print a patch for `git apply` instead of writing files; exit with 1 if there is one
    #[arg(long, help_heading = "Edits")]
    pub(super) diff: bool,
    /// Also apply edits that may change what a skill means; review the patch
    #[arg(long = "unsafe", help_heading = "Edits")]
    pub(super) unsafe_edits: bool,
    /// Also edit signed skills; their signatures become invalid
    #[arg(long, help_heading = "Edits")]
    pub(super) signed: bool,
    /// Fix for PROFILE, as `check --target` reports it; can be repeated. Replaces the configured targets
    #[arg(long = "target", value_name = "PROFILE", help_heading = "Edits")]
    pub(super) targets: Vec<String>,
    /// Edit only these skills; they may be outside the repository, such as ~/.claude/skills
    #[arg(value_name = "PATH", help_heading = None)]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) external: external::External,
    /// List the skills that the prompt of PROFILE chooses from, in its order
    #[arg(long, value_name = "PROFILE", help_heading = "Source")]
    pub(super) profile: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReadFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ShowFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
    /// The graph for Graphviz
    Dot,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) external: external::External,
    /// Find the skill among those of PROFILE
    #[arg(long, value_name = "PROFILE", help_heading = "Source")]
    pub(super) profile: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ShowFormat::Text, help_heading = "Output")]
    pub(super) format: ShowFormat,
    /// Print what the files of the skill refer to, with depth and cycles, instead of the body
    #[arg(long, help_heading = "Output")]
    pub(super) graph: bool,
    /// The name of the skill or of its directory, or its path
    #[arg(help_heading = None)]
    pub(super) name: String,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    #[command(flatten)]
    pub(super) source: Source,
    /// The id of the rule; without it, lists the rules
    #[arg(help_heading = None)]
    pub(super) rule: Option<String>,
    /// Explain every rule
    #[arg(long, conflicts_with = "rule", help_heading = "Output")]
    pub(super) all: bool,
    /// The output format: Markdown or JSON
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
}

#[derive(Debug, Args)]
pub(super) struct Forecast {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) external: external::External,
    /// Forecast for PROFILE; can be repeated. The same as RUNTIME
    #[arg(long = "target", value_name = "PROFILE", hide_short_help = true)]
    pub(super) targets: Vec<String>,
    /// Show every runtime: also those that read none of the skills
    #[arg(long, help_heading = "Output")]
    pub(super) all: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
    /// Forecast only for these runtimes, and only for the skills in these paths. The default is the configured targets, or
    /// else the most used runtimes that read a skill
    #[arg(value_name = "RUNTIME|PATH", help_heading = None)]
    pub(super) words: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Cost {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) external: external::External,
    /// Measure the list of PROFILE; can be repeated. The same as RUNTIME
    #[arg(long = "target", value_name = "PROFILE", hide_short_help = true)]
    pub(super) targets: Vec<String>,
    /// Show every skill, and every runtime that reads one
    #[arg(long, help_heading = "Output")]
    pub(super) all: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
    /// Measure only the lists of these runtimes, and only the skills in these paths. The default is the configured targets, or
    /// else the most used runtimes that read a skill
    #[arg(value_name = "RUNTIME|PATH", help_heading = None)]
    pub(super) words: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Profiles {
    #[command(flatten)]
    pub(super) source: Source,
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReadFormat::Text, help_heading = "Output")]
    pub(super) format: ReadFormat,
    /// The name of the profile; without it, lists the profiles
    #[arg(help_heading = None)]
    pub(super) name: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// Write one page per command to DIR
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(super) out: Option<PathBuf>,
    /// The command, such as `check` or `hook install`; without it, prints the page of skilltree
    #[arg(value_name = "COMMAND")]
    pub(super) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Schema {
    /// The name of the schema; without it, lists the names
    pub(super) name: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct New {
    /// The skills directory to create it in; the default is the one with the most skills, or else .claude/skills if .claude exists,
    /// or else .agents/skills
    #[arg(long, value_name = "ROOT")]
    pub(super) root: Option<String>,
    /// The name: lowercase letters and digits, joined by single hyphens
    pub(super) name: String,
}

#[cfg(feature = "lsp")]
#[derive(Debug, Args)]
pub(super) struct Lsp {
    /// Use standard input and output, which is the only way; editors pass it
    #[arg(long, hide = true)]
    pub(super) stdio: bool,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Also install the hooks that check each commit, like `skilltree hook install`
    #[arg(long)]
    pub(super) hook: bool,
    /// Also write a GitHub Actions workflow to .github/workflows/skills.yml
    #[arg(long)]
    pub(super) workflow: bool,
}

/// Parses a number that is not negative.
fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

fn jobs(word: &str) -> Result<usize, String> {
    match word.parse() {
        Ok(jobs @ 1..=1024) => Ok(jobs),
        _ => Err("expected a number from 1 to 1,024".into()),
    }
}

/// Parses a number and its unit, up to one day.
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
        _ => Err("expected a number with a unit, from 1ms to 24h, for example 60s or 2m".into()),
    }
}
