//! Workflow commands of GitHub Actions: annotations on lines, then the complete list for the log.
//!
//! A runner keeps ten annotations of each kind per step and silently drops the others, so the first one gives their
//! number and where to find them. The list is fenced by `stop-commands` with a hash of the list as its token: no
//! content can contain its own hash.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::{Options, Reason, concise, escape, sources, summary};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::{Report, Warning};
use skilltree_lint::rule::{Finding, Severity};

/// Annotations of each kind that a runner keeps per step (actions/runner, `_maxCountPerIssueType`).
const KEPT: usize = 10;

/// Maximum number of rules that are named of the findings without an annotation.
const NAMED: usize = 3;

/// Maximum number of notes of an annotation.
const NOTES: usize = 8;

/// Writes the annotations by descending level, and the fenced list.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    for warning in &report.warnings {
        out.write_all(about_run(warning).as_bytes())?;
    }
    // The warnings about the run and the reference to the list use some of the ten.
    let warnings = KEPT.saturating_sub(report.warnings.len());
    let kinds = [(Severity::Error, KEPT), (Severity::Warning, warnings), (Severity::Note, KEPT - 1)];
    let of = |level: Severity| report.active().filter(move |finding| finding.severity == level);
    let omitted: Vec<&Finding> = kinds.into_iter().flat_map(|(level, kept)| of(level).skip(kept)).collect();
    if let Some(omitted) = words(&omitted) {
        writeln!(out, "::notice title=skilltree::{omitted}")?;
    }
    for (level, kept) in kinds {
        for finding in of(level).take(kept) {
            out.write_all(annotation(report, excerpts, finding).as_bytes())?;
        }
    }
    fence(report, excerpts, options, out)
}

/// Describes the findings without an annotation, by their most severe rules.
fn words(findings: &[&Finding]) -> Option<String> {
    let number = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let counts = summary::counts(number)?;
    let mut rules: Vec<&str> = Vec::new();
    for finding in findings {
        if rules.len() < NAMED && !rules.contains(&finding.rule.id()) {
            rules.push(finding.rule.id());
        }
    }
    Some(format!("{counts} more in the log of this step, among them {}", rules.join(", ")))
}

/// Writes why a run failed, at its place in a configuration file if it has one.
pub(super) fn write_failed(reason: &Reason, out: &mut dyn Write) -> io::Result<()> {
    let place = reason.place.as_ref().map_or_else(String::new, |(path, at)| {
        let file = property(&escape::shown_path(path.as_ref()));
        format!("file={file},line={},col={},", at.line, at.column)
    });
    let lines: String = reason.lines().map(|line| format!("\n{line}")).collect();
    writeln!(out, "::error {place}title=skilltree failed::{}", data(&format!("{}{lines}", reason.fact())))
}

/// Formats a warning about the run, which has no place.
fn about_run(warning: &Warning) -> String {
    let help = warning.help.iter().map(|help| format!("\nhelp: {}", escape::text(help))).collect::<String>();
    let command = if warning.fails { "error" } else { "warning" };
    format!("::{command} title=skilltree::{}\n", data(&format!("{}{help}", escape::text(&warning.message))))
}

/// Writes an annotation, which GitHub shows with its place: the fact, then on lines of their own the consequences, the help, and how the runtimes are known. The
/// region ends on its first line, because a runner drops the columns of longer regions.
fn annotation(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let excerpt = excerpts.get(finding.place);
    let (start, end) = (excerpt.start, excerpt.first_end);
    // An annotation without a place appears on the first line of the file.
    let file = property(&escape::shown_path(report.text_path(finding)));
    let (line, column, end_column) = (start.line, start.column, end.column.max(start.column));
    let help = finding.help.iter().map(|help| format!("\nhelp: {}", escape::text(help))).collect::<String>();
    let notes = finding.notes.iter().take(NOTES).map(String::as_str).chain([finding.rule.why]);
    let notes: String = notes.map(|note| format!("\nnote: {}", escape::text(note))).collect();
    let sources: String = sources::of_finding(finding).iter().map(|line| format!("\n{line}")).collect();
    let message = data(&format!("{}{notes}{help}{sources}", escape::text(&finding.message)));
    let rule = finding.rule.id();
    format!(
        "::{command} file={file},line={line},col={column},endLine={line},endColumn={end_column},title={rule}::{message}\n"
    )
}

fn fence(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut list = Vec::new();
    concise::write(report, excerpts, options, &mut list)?;
    if list.is_empty() {
        return Ok(());
    }
    let token: String = Sha256::digest(&list).iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "::stop-commands::{token}")?;
    out.write_all(&list)?;
    writeln!(out, "::{token}::")
}

/// Escapes the text of a command (actions/toolkit, `escapeData`).
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command (actions/toolkit, `escapeProperty`).
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
