//! Arguments of `fleet`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::duration;

#[derive(Debug, Args)]
pub(in crate::cli) struct Fleet {
    /// The repositories: a file with one path per line, a directory of repositories, or `-` for paths on standard input
    #[arg(long, value_name = "FILE|DIR|-")]
    pub(in crate::cli) repos: PathBuf,
    /// The directory of the tables. A further run reads only the repositories that changed since
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: PathBuf,
    /// Write JSON Lines instead of Parquet
    #[arg(long)]
    pub(in crate::cli) jsonl: bool,
    /// Stop reading a repository after DURATION, and record it as failed
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "60s", hide_short_help = true)]
    pub(in crate::cli) max_repo_time: Duration,
    /// Read the tree of REV in each repository: a commit, tag or branch
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), default_value = "HEAD")]
    pub(in crate::cli) rev: String,
    /// Read the configuration from FILE instead of each repository's skilltree.toml
    #[arg(long, value_name = "FILE", group = "configuration", help_heading = "Check", hide_short_help = true)]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, group = "configuration", help_heading = "Check", hide_short_help = true)]
    pub(in crate::cli) no_config: bool,
    /// Apply the policy FILE, which each repository's skilltree.toml may only add to and tighten
    #[arg(long, value_name = "FILE", help_heading = "Check", hide_short_help = true)]
    pub(in crate::cli) policy: Option<PathBuf>,
    /// Set the severity of a rule: off, note, warning or error; can be repeated
    #[arg(long = "rule", value_name = "RULE=SEVERITY", help_heading = "Check", hide_short_help = true)]
    pub(in crate::cli) rules: Vec<String>,
    /// Check and forecast for PROFILE; can be repeated. The default is each repository's targets, or else the runtimes that
    /// read a skills directory
    #[arg(long = "target", value_name = "PROFILE", help_heading = "Check")]
    pub(in crate::cli) targets: Vec<String>,
    /// Also run preview rules, as warnings at most
    #[arg(long, help_heading = "Check", hide_short_help = true)]
    pub(in crate::cli) preview: bool,
    /// Use DAY (YYYY-MM-DD) as today's date instead of the date of each commit
    #[arg(long, value_name = "DAY", help_heading = "Check", hide_short_help = true)]
    pub(in crate::cli) today: Option<String>,
}
