//! `check`: what is judged, how it is said, and what fails.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use skilltree::render::Format;
use skilltree::rule::Level;

use super::Source;
use crate::cli::failure::did_you_mean;

#[derive(Debug, Args)]
pub(in crate::cli) struct Check {
    #[command(flatten)]
    pub(in crate::cli) source: Source,
    /// Fail on nothing that the merge base with REV has already; a pull request is judged by what it changes
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = "Source")]
    pub(in crate::cli) base: Option<String>,
    /// Read the tree of B and compare it with A: `--rev B --base A`
    #[arg(long, value_name = "A..B", value_parser = range, group = "revision", conflicts_with = "base", help_heading = "Source")]
    pub(in crate::cli) range: Option<Range>,
    /// The format on standard output: full, concise, json, sarif, github, markdown
    #[arg(long, value_name = "FORMAT", value_parser = format, default_value = "full", help_heading = "Output")]
    pub(in crate::cli) format: Format,
    /// Write FORMAT to PATH too; can be given several times
    #[arg(long = "output", value_name = "FORMAT=PATH", value_parser = output, help_heading = "Output")]
    pub(in crate::cli) outputs: Vec<(Format, PathBuf)>,
    /// Count the findings of each rule instead of showing them, as text or with `--format json`
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) statistics: bool,
    /// Write ignored findings to SARIF too, marked as suppressed
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) show_ignored: bool,
    /// Exit with 1 when a finding is at LEVEL or above: note, warning, error, never
    #[arg(long, value_name = "LEVEL", value_parser = fail_on, default_value = "error", help_heading = "Verdict")]
    pub(in crate::cli) fail_on: FailOn,
    /// Exit with 0 whatever was found
    #[arg(long, help_heading = "Verdict")]
    pub(in crate::cli) exit_zero: bool,
    /// Exit with 1 when there is no skill at all
    #[arg(long, help_heading = "Verdict")]
    pub(in crate::cli) error_on_empty: bool,
    /// Judge for PROFILE, a runtime that the skills must work in; can be given several times, instead of the configuration's
    /// targets
    #[arg(long = "target", value_name = "PROFILE", help_heading = "Verdict")]
    pub(in crate::cli) targets: Vec<String>,
    /// Set the level of a rule: off, note, warning, error
    #[arg(long = "rule", value_name = "ID=LEVEL", help_heading = "Verdict")]
    pub(in crate::cli) rules: Vec<String>,
    /// Report only what these skills say; everything is still read. `-` reads one SKILL.md from standard input
    #[arg(value_name = "PATH", help_heading = None)]
    pub(in crate::cli) paths: Vec<PathBuf>,
}

/// Two revisions: what is checked, and what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Range {
    pub(in crate::cli) base: String,
    pub(in crate::cli) head: String,
}

/// The least level that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct FailOn(pub(in crate::cli) Option<Level>);

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
    Ok((format(name)?, PathBuf::from(path)))
}

/// `A..B`, or `A...B`, which git takes for the merge base as well; an end that is left out is `HEAD`.
fn range(word: &str) -> Result<Range, String> {
    let (base, head) = word.split_once("..").ok_or("expected A..B, for example main..HEAD")?;
    let named = |revision: &str| if revision.is_empty() { "HEAD".to_owned() } else { revision.to_owned() };
    Ok(Range { base: named(base), head: named(head.strip_prefix('.').unwrap_or(head)) })
}

pub(in crate::cli) fn fail_on(word: &str) -> Result<FailOn, String> {
    match word {
        "never" => Ok(FailOn(None)),
        "note" | "warning" | "error" => Ok(FailOn(Level::parse(word))),
        _ => Err("expected note, warning, error or never".into()),
    }
}
