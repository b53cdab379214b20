//! What can be typed, validated and nothing more.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use skilltree::render::Format;
use skilltree::rule::Level;

pub(super) mod beside;
mod deferred;
pub(super) mod records;
pub(super) mod selection;

use self::deferred::Deferred;
use super::failure::did_you_mean;
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
pub(super) struct Check {
    #[command(flatten)]
    pub(super) source: Source,
    /// Fail on nothing that the merge base with REV has already; a pull request is judged by what it changes
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = "Source")]
    pub(super) base: Option<String>,
    /// Read the tree of B and compare it with A: `--rev B --base A`
    #[arg(long, value_name = "A..B", value_parser = range, group = "revision", conflicts_with = "base", help_heading = "Source")]
    pub(super) range: Option<Range>,
    /// The format on standard output: full, concise, json, sarif, github, markdown
    #[arg(long, value_name = "FORMAT", value_parser = format, default_value = "full", help_heading = "Output")]
    pub(super) format: Format,
    /// Write FORMAT to PATH too; can be given several times
    #[arg(long = "output", value_name = "FORMAT=PATH", value_parser = output, help_heading = "Output")]
    pub(super) outputs: Vec<(Format, PathBuf)>,
    /// Count the findings of each rule instead of showing them, as text or with `--format json`
    #[arg(long, help_heading = "Output")]
    pub(super) statistics: bool,
    /// Write ignored findings to SARIF too, marked as suppressed
    #[arg(long, help_heading = "Output")]
    pub(super) show_ignored: bool,
    /// Exit with 1 when a finding is at LEVEL or above: note, warning, error, never
    #[arg(long, value_name = "LEVEL", value_parser = fail_on, default_value = "error", help_heading = "Verdict")]
    pub(super) fail_on: FailOn,
    /// Exit with 0 whatever was found
    #[arg(long, help_heading = "Verdict")]
    pub(super) exit_zero: bool,
    /// Exit with 1 when there is no skill at all
    #[arg(long, help_heading = "Verdict")]
    pub(super) error_on_empty: bool,
    /// Judge for PROFILE, a runtime that the skills must work in; can be given several times, instead of the configuration's
    /// targets
    #[arg(long = "target", value_name = "PROFILE", help_heading = "Verdict")]
    pub(super) targets: Vec<String>,
    /// Set the level of a rule: off, note, warning, error
    #[arg(long = "rule", value_name = "ID=LEVEL", help_heading = "Verdict")]
    pub(super) rules: Vec<String>,
    /// Report only what these skills say; everything is still read. `-` reads one SKILL.md from standard input
    #[arg(value_name = "PATH", help_heading = None)]
    pub(super) paths: Vec<PathBuf>,
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

/// Two revisions: what is checked, and what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) base: String,
    pub(super) head: String,
}

/// The least level that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FailOn(pub(super) Option<Level>);

#[derive(Debug, Args)]
pub(super) struct Prompt {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) beside: beside::Beside,
    /// Render as PROFILE (agentskills, amacs, camel, majordomo, swarm, symphony), from its own roots; without it symphony's block over every root
    #[arg(long, value_name = "PROFILE", help_heading = "Output")]
    pub(super) profile: Option<String>,
    /// Write the block, its index and a comment about skipped skills to DIR; nothing goes to standard output
    #[arg(long, value_name = "DIR", group = "destination", help_heading = "Output")]
    pub(super) out: Option<PathBuf>,
    /// Build in memory and compare with DIR; exit with 1 when something differs
    #[arg(long, value_name = "DIR", group = "destination", help_heading = "Output")]
    pub(super) verify: Option<PathBuf>,
    /// What to print on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PromptFormat::Block, conflicts_with = "destination", help_heading = "Output")]
    pub(super) format: PromptFormat,
    /// Make the block by the macros of the template at PATH, a path from the repository's root: it is read from where the
    /// configuration is read, which may name one too (`template` below `[prompt]`)
    #[arg(long, value_name = "PATH", conflicts_with = "format", help_heading = "Output")]
    pub(super) template: Option<String>,
    /// Build one block for each root, into DIR/ROOT
    #[arg(long, requires = "destination", conflicts_with_all = ["user_roots", "external"], help_heading = "Output")]
    pub(super) per_root: bool,
    #[command(flatten)]
    pub(super) selection: selection::Selection,
    #[command(flatten)]
    pub(super) budget: selection::Budget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PromptFormat {
    /// The block as a dispatcher injects it
    Block,
    /// The index of the block
    Json,
    /// A message a skill with its body, one JSON object a line
    Messages,
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

#[derive(Debug, Args)]
pub(super) struct Hook {
    #[command(subcommand)]
    pub(super) action: HookAction,
}

#[derive(Debug, Subcommand)]
pub(super) enum HookAction {
    /// Write hooks that run this program; one that is there already stays as it is
    Install {
        /// pre-commit and pre-merge-commit if none is named, pre-receive in a bare repository
        #[arg(value_name = "NAME", value_enum)]
        names: Vec<HookName>,
    },
    /// Remove the hooks that this program wrote
    #[command(alias = "remove")]
    Uninstall {
        /// All of them if none is named
        #[arg(value_name = "NAME", value_enum)]
        names: Vec<HookName>,
    },
    /// Judge what git is about to do: the index before a commit, each commit of a push
    Run {
        /// The hook
        #[arg(value_enum)]
        name: HookName,
        /// Options of `check`, behind `--`
        #[arg(last = true, value_name = "OPTION")]
        arguments: Vec<OsString>,
    },
}

/// A hook by the name that git gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum HookName {
    /// Before a commit
    #[value(name = "pre-commit")]
    Commit,
    /// Before a merge becomes a commit
    #[value(name = "pre-merge-commit")]
    MergeCommit,
    /// Before a push
    #[value(name = "pre-push")]
    Push,
    /// On a server, before what is pushed is let in
    #[value(name = "pre-receive")]
    Receive,
}

impl HookName {
    pub(super) const ALL: [Self; 4] = [Self::Commit, Self::MergeCommit, Self::Push, Self::Receive];

    /// The name of its file.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "pre-commit",
            Self::MergeCommit => "pre-merge-commit",
            Self::Push => "pre-push",
            Self::Receive => "pre-receive",
        }
    }
}

/// What adds its arguments to a command.
type Describe = fn(clap::Command) -> clap::Command;

/// The commands, each with what describes its arguments.
const COMMANDS: [(&str, Describe); 17] = [
    ("check", Check::augment_args),
    ("fix", Fix::augment_args),
    ("prompt", Prompt::augment_args),
    ("list", List::augment_args),
    ("show", Show::augment_args),
    ("new", New::augment_args),
    ("init", Init::augment_args),
    ("hook", Hook::augment_args),
    ("explain", Explain::augment_args),
    ("forecast", Forecast::augment_args),
    ("profiles", Profiles::augment_args),
    ("thread", records::Thread::augment_args),
    ("knowledge", records::Knowledge::augment_args),
    ("qmd-setup", QmdSetup::augment_args),
    ("completions", Completions::augment_args),
    ("man", |command| command),
    ("schema", Schema::augment_args),
];

/// The words that are commands.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|&(name, _)| name).chain(["help"])
}

/// What is asked for by the first word that is neither a common option nor its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A command.
    Command(&'static str),
    /// `check`, which stands nowhere: this is where it has to be put in.
    Nothing(usize),
    /// Help about any command.
    Help,
    /// Something about the program, by an option: no command has a say.
    Program,
}

pub(super) fn asked(words: &[OsString]) -> Asked {
    let mut position = 1;
    while let Some(word) = words.get(position) {
        match word.to_str() {
            Some("-C" | "--color" | "--jobs" | "--max-time") => position += 2,
            Some("-q" | "--quiet" | "-v" | "--verbose") => position += 1,
            Some(word) if ["--color=", "--jobs=", "--max-time="].iter().any(|option| word.starts_with(option)) => {
                position += 1;
            }
            Some(word) if word.starts_with("-C") => position += 1,
            Some("-h" | "--help" | "-V" | "--version") => return Asked::Program,
            Some("help") => return Asked::Help,
            Some(word) => match COMMANDS.iter().find(|(name, _)| *name == word) {
                Some((name, _)) => return Asked::Command(name),
                None => break,
            },
            None => break,
        }
    }
    Asked::Nothing(position.min(words.len()))
}

/// The command line, with the arguments of the commands that are wanted.
pub(super) fn command(is_wanted: impl Fn(&str) -> bool) -> clap::Command {
    let wanted = COMMANDS.into_iter().filter(|(name, _)| is_wanted(name));
    wanted.fold(Arguments::command(), |all, (name, arguments)| {
        all.mut_subcommand(name, |command| deferred::describe(command, arguments))
    })
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

pub(super) fn format(word: &str) -> Result<Format, String> {
    Format::parse(word).ok_or_else(|| {
        let names = Format::NAMES.map(|(name, _)| name);
        format!("expected one of {}{}", names.join(", "), did_you_mean(word, names.into_iter()))
    })
}

fn output(word: &str) -> Result<(Format, PathBuf), String> {
    let (name, path) = word.split_once('=').ok_or("expected FORMAT=PATH, for example sarif=skills.sarif")?;
    if path.is_empty() {
        return Err("expected a path after `=`".into());
    }
    Ok((format(name)?, PathBuf::from(path)))
}

/// `A..B`, or `A...B`, which git takes for the merge base as well; an end that is left out is `HEAD`.
fn range(word: &str) -> Result<Range, String> {
    let (base, head) = word.split_once("..").ok_or("expected A..B, for example main..HEAD")?;
    let named = |revision: &str| if revision.is_empty() { "HEAD".to_owned() } else { revision.to_owned() };
    Ok(Range { base: named(base), head: named(head.strip_prefix('.').unwrap_or(head)) })
}

pub(super) fn fail_on(word: &str) -> Result<FailOn, String> {
    match word {
        "never" => Ok(FailOn(None)),
        "note" | "warning" | "error" => Ok(FailOn(Level::parse(word))),
        _ => Err("expected note, warning, error or never".into()),
    }
}
