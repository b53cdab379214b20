//! Arguments of `check`: the source, the output and the exit status.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use skilltree_lint::rule::Severity;
use skilltree_report::render::Format;

use super::Source;
use super::external::External;
use crate::failure::did_you_mean;

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct Check {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    #[command(flatten)]
    pub(in crate::cli) external: External,
    /// Report only findings that are new since the merge base with REV; `auto` takes the base that GitHub Actions or GitLab names
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = "Source")]
    pub(in crate::cli) base: Option<String>,
    /// Check revision B and compare it with A: short for `--rev B --base A`
    #[arg(long, value_name = "A..B", value_parser = range, group = "revision", conflicts_with = "base", help_heading = "Source", hide_short_help = true)]
    pub(in crate::cli) range: Option<Range>,
    /// Report everything: also existing findings, in a hook or with `--base`, and runtimes out of scope
    #[arg(long, help_heading = "Source", hide_short_help = true)]
    pub(in crate::cli) all: bool,
    #[arg(help = format!("The output format: {}", Format::list()), long, value_name = "FORMAT", value_parser = format, default_value = "full", help_heading = "Output")]
    pub(in crate::cli) format: Format,
    /// Also write FORMAT to PATH; can be repeated
    #[arg(long = "output", value_name = "FORMAT=PATH", value_parser = output, help_heading = "Output")]
    pub(in crate::cli) outputs: Vec<(Format, PathBuf)>,
    /// Print the number of findings per rule instead of the findings, as text or with `--format json`
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) statistics: bool,
    /// Also write ignored findings to SARIF, marked as suppressed
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) show_ignored: bool,
    /// Set the category of the SARIF run to ID; each upload of a commit needs a separate one
    #[arg(long, value_name = "ID", value_parser = category, help_heading = "Output", hide_short_help = true)]
    pub(in crate::cli) sarif_category: Option<String>,
    /// Show only findings of severity LEVEL or higher: note, warning, error. Does not change the exit status
    #[arg(long, value_name = "LEVEL", value_parser = severity, help_heading = "Output")]
    pub(in crate::cli) min_severity: Option<Severity>,
    /// Exit with 1 if a finding has severity LEVEL or higher: note, warning, error, never
    #[arg(long, value_name = "LEVEL", value_parser = fail_on, default_value = "error", help_heading = "Exit status and rules")]
    pub(in crate::cli) fail_on: FailOn,
    /// Exit with 0 even if there are findings
    #[arg(long, help_heading = "Exit status and rules", hide_short_help = true)]
    pub(in crate::cli) exit_zero: bool,
    /// Exit with 1 if there are no skills
    #[arg(long, help_heading = "Exit status and rules", hide_short_help = true)]
    pub(in crate::cli) error_on_empty: bool,
    /// Check for PROFILE, a runtime that your skills must work in; can be repeated. Replaces the configured targets
    #[arg(long = "target", value_name = "PROFILE", help_heading = "Exit status and rules")]
    pub(in crate::cli) targets: Vec<String>,
    /// Set the severity of a rule: off, note, warning, error
    #[arg(long = "rule", value_name = "ID=LEVEL", help_heading = "Exit status and rules")]
    pub(in crate::cli) rules: Vec<String>,
    /// Run the rules of `[[require]]` on their examples instead of the skills; exit with 1 if one disagrees or is missing
    #[arg(long, conflicts_with_all = ["format", "outputs", "statistics"], help_heading = "Exit status and rules", hide_short_help = true)]
    pub(in crate::cli) test_rules: bool,
    /// Instead of checking, rank the skills for each task of `[[route]]`; exit with 1 if other skills rank first
    #[arg(long, conflicts_with_all = ["paths", "test_rules", "format", "outputs", "statistics"], help_heading = "Exit status and rules", hide_short_help = true)]
    pub(in crate::cli) test_routes: bool,
    /// With the path `-`: check standard input in place of the SKILL.md at PATH, as an editor does before it saves
    #[arg(long, value_name = "PATH", help_heading = "Source", hide_short_help = true)]
    pub(in crate::cli) stdin_filename: Option<PathBuf>,
    /// The file of `--stdin-filename` and its text; not an argument.
    #[arg(skip)]
    pub(in crate::cli) typed: Option<(PathBuf, Vec<u8>)>,
    /// Report findings only for these skills; all skills are still read. `-` reads one SKILL.md from standard input
    #[arg(value_name = "PATH", help_heading = None)]
    pub(in crate::cli) paths: Vec<PathBuf>,
}

/// The revision to check, and the one to compare it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Range {
    pub(in crate::cli) base: String,
    pub(in crate::cli) head: String,
}

/// The lowest severity that fails the run; `None` for `never`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct FailOn(pub(in crate::cli) Option<Severity>);

pub(in crate::cli) fn format(word: &str) -> Result<Format, String> {
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
    if path == "-" {
        return Err(format!("`-` is not a file; for standard output, use `--format {name}`, and for a file, `./-`"));
    }
    Ok((format(name)?, PathBuf::from(path)))
}

fn category(word: &str) -> Result<String, String> {
    match word.trim_matches('/').trim() {
        "" => Err("expected a category, for example skills".into()),
        _ => Ok(word.to_owned()),
    }
}

/// Parses `A..B`, or `A...B`, Git's syntax for the merge base. Git takes `HEAD` for an omitted end; here it is an error, because the
/// variable of a script may be empty, and a comparison of `HEAD` with itself finds nothing.
fn range(word: &str) -> Result<Range, String> {
    ends(word).map(|(base, head)| Range { base, head })
}

/// Returns the ends of a range.
pub(super) fn ends(word: &str) -> Result<(String, String), String> {
    let (base, head) = word.split_once("..").ok_or("expected A..B, for example main..HEAD")?;
    let head = head.strip_prefix('.').unwrap_or(head);
    let named = |revision: &str, end: &str| match revision.trim() {
        "" => Err(format!("{end} of the range is empty; expected A..B, for example main..HEAD")),
        _ => Ok(revision.to_owned()),
    };
    Ok((named(base, "the start")?, named(head, "the end")?))
}

fn severity(word: &str) -> Result<Severity, String> {
    Severity::parse(word).ok_or("expected note, warning or error".into())
}

pub(in crate::cli) fn fail_on(word: &str) -> Result<FailOn, String> {
    match word {
        "never" => Ok(FailOn(None)),
        "note" | "warning" | "error" => Ok(FailOn(Severity::parse(word))),
        _ => Err("expected note, warning, error or never".into()),
    }
}
