//! Output formats of reports, for people and review tools.
//!
//! A format is a function that writes a report to a writer. Content of the tree passes through [`escape`] or the
//! escaping of the format. This module does not affect the exit status.

pub mod changes;
pub mod escape;
pub mod forecast;
pub mod redact;
pub mod statistics;

mod budget;
mod concise;
mod counts;
mod failed;
mod full;
mod github;
mod gitlab;
#[cfg(feature = "html")]
mod html;
#[cfg(not(feature = "html"))]
#[path = "render/without_html.rs"]
mod html;
mod json;
mod junit;
mod markdown;
mod pieces;
mod places;
mod rdjson;
mod sarif;
mod sources;
mod summary;
mod verdict;
mod window;
mod wrap;

use std::borrow::Cow;
use std::io::{self, Write};

pub use budget::Omitted;
pub use failed::{Reason, write_failed};
pub use places::places;
pub use skilltree_skills::json::{write_pretty, write_value};
pub use sources::{old_sources, sources};
pub use summary::{count, fixable, found, offered, summary};
pub use verdict::verdict;

use budget::Budget;
use skilltree_lint::changes::Changes;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Edit, Finding, Group, Rule, RuleRef, Severity, State};
use skilltree_lint::rules;
use skilltree_runtimes::graph::Graphs;
use skilltree_runtimes::profile::Profiles;

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Frames with source lines.
    Full,
    /// One line per finding.
    Concise,
    /// JSON with schema/report.json.
    Json,
    /// SARIF 2.1.0 for GitHub code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Markdown for a job summary or an issue comment.
    Markdown,
    /// GitLab Code Quality.
    Gitlab,
    /// Reviewdog Diagnostic Format.
    Rdjson,
    /// JUnit XML.
    Junit,
    /// Counts as `NAME=VALUE` lines, for the outputs of a CI step.
    Counts,
    /// A page with skills, findings and forecasts.
    Html,
}

impl Format {
    /// Names of the formats on the command line.
    pub const NAMES: [(&'static str, Self); ROWS.len()] = {
        let mut names = [("", Self::Full); ROWS.len()];
        let mut row = 0;
        while row < ROWS.len() {
            names[row] = (ROWS[row].name, ROWS[row].format);
            row += 1;
        }
        names
    };

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns whether programs read the format: its bytes go to standard output as they are, without a check for colors.
    pub fn is_data(self) -> bool {
        self.row().is_data
    }

    /// Returns whether the format shows the most severe findings only, as many as [`Options::shown_findings`], and every error that
    /// there is room for.
    pub fn shows_most_severe(self) -> bool {
        matches!(self, Self::Full | Self::Concise)
    }

    /// Lists the names of all formats.
    pub fn list() -> String {
        Self::NAMES.map(|(name, _)| name).join(", ")
    }

    /// Returns the format with a name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|&(_, format)| format)
    }
}

/// What a format is. A new one is a variant of [`Format`], its row, and its module.
struct Row {
    name: &'static str,
    format: Format,
    /// See [`Format::is_data`].
    is_data: bool,
    write: Writer,
    /// How it says why a run failed; `None` if it cannot.
    failure: Option<Failure>,
}

/// Writes the report of a run that failed.
struct Failure {
    /// Text near the start of every report in the format.
    mark: &'static str,
    write: fn(&Reason, &Options, &mut dyn Write) -> io::Result<()>,
}

/// Writes a report.
enum Writer {
    /// Says in its text what it omits.
    Whole(fn(&Report, &Excerpts, &Options, &mut dyn Write) -> io::Result<()>),
    /// Returns what it omits.
    Limited(fn(&Report, &Excerpts, &Options, &mut dyn Write) -> io::Result<Omitted>),
}

/// The formats, in the order of [`Format`].
const ROWS: [Row; 11] = [
    Row { name: "full", format: Format::Full, is_data: false, write: Writer::Whole(full::write), failure: None },
    Row {
        name: "concise",
        format: Format::Concise,
        is_data: false,
        write: Writer::Whole(concise::write),
        failure: None,
    },
    Row { name: "json", format: Format::Json, is_data: true, write: Writer::Whole(json::write), failure: None },
    Row {
        name: "sarif",
        format: Format::Sarif,
        is_data: true,
        write: Writer::Limited(sarif::write),
        failure: Some(Failure { mark: "\"name\":\"skilltree\"", write: sarif::write_failed }),
    },
    Row {
        name: "github",
        format: Format::Github,
        is_data: false,
        write: Writer::Whole(github::write),
        failure: Some(Failure { mark: "title=", write: |reason, _, out| github::write_failed(reason, out) }),
    },
    Row {
        name: "markdown",
        format: Format::Markdown,
        is_data: false,
        write: Writer::Whole(markdown::write),
        failure: Some(Failure { mark: "## skilltree: ", write: |reason, _, out| markdown::write_failed(reason, out) }),
    },
    Row { name: "gitlab", format: Format::Gitlab, is_data: true, write: Writer::Whole(gitlab::write), failure: None },
    Row { name: "rdjson", format: Format::Rdjson, is_data: true, write: Writer::Whole(rdjson::write), failure: None },
    Row {
        name: "junit",
        format: Format::Junit,
        is_data: true,
        write: Writer::Whole(junit::write),
        failure: Some(Failure {
            mark: "<testsuites name=\"skilltree\"",
            write: |reason, _, out| junit::write_failed(reason, out),
        }),
    },
    Row { name: "counts", format: Format::Counts, is_data: true, write: Writer::Whole(counts::write), failure: None },
    Row {
        name: "html",
        format: Format::Html,
        is_data: true,
        write: Writer::Whole(html::write),
        failure: Some(Failure {
            mark: "<meta name=\"generator\" content=\"skilltree\">",
            write: |reason, _, out| html::write_failed(reason, out),
        }),
    },
];

/// Options of a format that the report does not contain.
#[derive(Clone, Debug)]
pub struct Options {
    /// The checked source, as the end of a sentence: `the index (skills tree 3f2c1ab)`.
    pub source: String,
    /// The checked source in a few words, for people: `index`, `main at 3f2c1ab`.
    pub place: String,
    /// When the checked commit was made, in seconds since 1970; `None` for a source without a commit.
    pub time: Option<i64>,
    /// Whether the entries of the shared knowledge were checked instead of the skills.
    pub entries: bool,
    /// Maximum number of findings shown as text; `None` for all.
    pub shown_findings: Option<u64>,
    /// Maximum number of bytes of findings shown as text.
    pub text_bytes: usize,
    /// Whether a text names the evidence for what it says about runtimes.
    pub evidence: bool,
    /// Number of warnings, and of notes, of one rule that have a frame. Further ones have a line.
    pub framed: usize,
    /// Appearance of frames.
    pub look: Look,
    /// Lowest severity that fails the run; `None` if no finding does.
    pub fail_on: Option<Severity>,
    /// Whether SARIF includes ignored findings as suppressed results. GitHub opens alerts for those.
    pub suppressed: bool,
    /// Category of the SARIF run: uploads of one commit with the same category replace each other.
    pub sarif_category: Option<String>,
    /// URL of the repository without credentials, for the provenance in SARIF.
    pub repository: Option<String>,
    /// The commands that a text proposes.
    pub commands: Commands,
    /// What the change does for the model.
    pub changes: Option<Changes>,
    /// Address that the files of the checked commit are below, for links in Markdown: `https://SERVER/OWNER/NAME/blob/COMMIT`.
    pub links: Option<String>,
    /// The graphs that the page draws.
    pub graphs: Graphs,
    /// Runtimes that the page forecasts.
    pub profiles: Profiles,
    /// Rules that the SARIF driver lists.
    pub rules: Vec<RuleRef>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            source: "memory".into(),
            place: "memory".into(),
            time: None,
            entries: false,
            shown_findings: Some(1_000),
            evidence: false,
            framed: usize::MAX,
            text_bytes: TEXT_BYTES,
            look: Look::default(),
            fail_on: Some(Severity::Error),
            suppressed: false,
            sarif_category: None,
            repository: None,
            commands: Commands::default(),
            changes: None,
            links: None,
            graphs: Graphs::default(),
            profiles: Profiles::default(),
            rules: rules::ALL.iter().copied().map(RuleRef::from).collect(),
        }
    }
}

/// The commands that a text proposes, with the options of the run.
#[derive(Clone, Debug)]
pub struct Commands {
    /// Fixes what the run found.
    pub fix: String,
    /// Prints what every runtime loads.
    pub forecast: String,
}

impl Default for Commands {
    fn default() -> Self {
        Self { fix: "skilltree fix".into(), forecast: "skilltree forecast --all".into() }
    }
}

/// Appearance of frames. The default suits output without a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Width of the terminal in columns.
    pub width: usize,
    /// Whether to use colors.
    pub color: bool,
    /// Whether to draw lines with non-ASCII characters.
    pub unicode: bool,
    /// Whether rule ids link to their pages (OSC 8). Requires colors.
    pub hyperlinks: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 120, color: false, unicode: false, hyperlinks: false }
    }
}

/// Writes a report in a format. Returns the results that SARIF omits; a text that omits findings says so itself.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write(
    format: Format,
    report: &Report,
    excerpts: &Excerpts,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<Omitted> {
    match format.row().write {
        Writer::Whole(write) => write(report, excerpts, options, out).map(|()| Omitted::default()),
        Writer::Limited(write) => write(report, excerpts, options, out),
    }
}

/// Writes a report as JSON, like [`write()`]: a program that calls only this contains no other format.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_json(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    json::write(report, excerpts, options, out)
}

/// Wraps a line of text. Lines after the first are indented by two columns.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let lines = wrap::lines(text, width, width.saturating_sub(2)).into_iter().enumerate();
    lines.map(|(number, line)| if number == 0 { line } else { format!("  {line}") }).collect()
}

/// Returns the URL of the documentation of this version, which its tag names.
fn docs_url() -> &'static str {
    concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/docs/")
}

/// Returns the URL of a rule's page.
pub fn rule_url(rule: &Rule) -> String {
    let docs = docs_url();
    match rule.group {
        Group::Repository => format!("{docs}own-rules.md"),
        _ => format!("{docs}rules/{}.md", rule.id()),
    }
}

/// Returns the edits of a finding, or none if one of them contains a redacted secret: a part of them would be another
/// edit.
fn edits(finding: &Finding) -> &[Edit] {
    let tells = finding.edits.iter().any(|edit| !redact::secrets(edit.text.as_bytes()).is_empty());
    if tells { &[] } else { &finding.edits }
}

/// Returns a finding for each place, without the places that the base has too.
fn each(finding: &Finding) -> impl Iterator<Item = Cow<'_, Finding>> {
    finding.each().into_iter().filter(|one| one.state != Some(State::Unchanged))
}

/// Maximum number of bytes of text in a run.
const TEXT_BYTES: usize = 16 << 20;
