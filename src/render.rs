//! Reports in the formats that people and review tools read.
//!
//! A format is a function that writes a report to a given writer. What it shows of the tree passes [`escape`] or a
//! format's own escaping; nothing here decides about the exit status.

pub mod escape;
pub mod forecast;
pub mod redact;
pub mod statistics;

mod concise;
mod full;
mod github;
mod json;
mod markdown;
mod sarif;
mod summary;
mod window;

use std::io::{self, Write};

pub use json::write_pretty;
pub use summary::{count, fixable, summary};

use crate::excerpt::Excerpts;
use crate::lint::Report;
use crate::rule::{Edit, Finding, Rule};
use crate::rules;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Frames with the lines that findings are about.
    Full,
    /// A line a finding.
    Concise,
    /// Our own schema.
    Json,
    /// SARIF 2.1.0, as GitHub's code scanning takes it.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A job summary, or a comment in a tracker.
    Markdown,
}

impl Format {
    /// The formats by their names on the command line.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("full", Self::Full),
        ("concise", Self::Concise),
        ("json", Self::Json),
        ("sarif", Self::Sarif),
        ("github", Self::Github),
        ("markdown", Self::Markdown),
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The format of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|&(_, format)| format)
    }
}

/// What a caller knows and a report does not.
#[derive(Clone, Debug)]
pub struct Options {
    /// What was checked, in words that end a sentence: `the index (skills tree 3f2c1ab)`.
    pub source: String,
    /// Whether the entries of the shared knowledge were judged, and not the skills.
    pub entries: bool,
    /// Findings shown as text; `None` for all of them.
    pub shown_findings: Option<u64>,
    /// How frames look.
    pub look: Look,
    /// Whether SARIF holds the findings that somebody ignored, as suppressed results. GitHub opens alerts for those.
    pub suppressed: bool,
    /// The address of the repository, without credentials, for SARIF's provenance.
    pub repository: Option<String>,
    /// The rules that SARIF's driver lists.
    pub rules: &'static [&'static Rule],
}

impl Default for Options {
    fn default() -> Self {
        Self {
            source: "memory".into(),
            entries: false,
            shown_findings: Some(1_000),
            look: Look::default(),
            suppressed: false,
            repository: None,
            rules: rules::ALL,
        }
    }
}

/// How frames look. The caller knows the terminal; the default is for where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours are on.
    pub color: bool,
    /// Whether lines are drawn with characters beyond ASCII.
    pub unicode: bool,
    /// Whether a rule's id links to its page (OSC 8); only with colours.
    pub hyperlinks: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 120, color: false, unicode: false, hyperlinks: false }
    }
}

/// Writes a report in a format.
///
/// # Errors
/// What the writer fails with.
pub fn write(
    format: Format,
    report: &Report,
    excerpts: &Excerpts,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let write = match format {
        Format::Full => full::write,
        Format::Concise => concise::write,
        Format::Json => json::write,
        Format::Sarif => sarif::write,
        Format::Github => github::write,
        Format::Markdown => markdown::write,
    };
    write(report, excerpts, options, out)
}

/// The address of a rule's page.
pub fn rule_url(rule: &Rule) -> String {
    concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/rules/").to_string() + rule.id + ".md"
}

/// The edits of a finding, all of them or none: half of them would be another edit, and so would one whose secret is
/// redacted.
fn edits(finding: &Finding) -> &[Edit] {
    let tells = finding.edits.iter().any(|edit| !redact::secrets(edit.text.as_bytes()).is_empty());
    if tells { &[] } else { &finding.edits }
}

/// Bytes of text that a run shows.
const TEXT_BYTES: usize = 16 << 20;

/// How much text may still be shown.
struct Budget {
    findings: u64,
    bytes: usize,
}

impl Budget {
    fn new(findings: Option<u64>, bytes: usize) -> Self {
        Self { findings: findings.unwrap_or(u64::MAX), bytes }
    }

    /// Whether a finding of that many bytes is still shown; after one that is not, none is.
    fn take(&mut self, bytes: usize) -> bool {
        let fits = self.findings > 0 && bytes <= self.bytes;
        self.findings = if fits { self.findings - 1 } else { 0 };
        self.bytes -= if fits { bytes } else { 0 };
        fits
    }
}
