//! Reviewdog Diagnostic Format (rdjson): one diagnostic per place, with columns in bytes of UTF-8.
//!
//! reviewdog posts a message as Markdown, so foreign text appears only in code spans.

use std::io::{self, Write};

use serde::Serialize;

use super::pieces::prose;
use super::{Options, each, edits, escape, rule_url, sources};
use skilltree_lint::excerpt::{Excerpt, Excerpts, Position};
use skilltree_lint::lint::{Report, Warning};
use skilltree_lint::rule::{Edit, Finding, Severity, describe_losses};
use skilltree_skills::json::write_value;

#[derive(Serialize)]
struct Diagnostic<'r> {
    message: String,
    location: Location,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Code<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<[Suggestion<'r>; 1]>,
}

#[derive(Serialize)]
struct Code<'r> {
    value: &'r str,
    url: String,
}

#[derive(Serialize)]
struct Location {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Serialize)]
struct Suggestion<'r> {
    range: Range,
    text: &'r str,
}

#[derive(Serialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
    url: &'static str,
}

/// Writes the active findings, the most severe first.
pub(super) fn write(report: &Report, excerpts: &Excerpts, _: &Options, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"source\":")?;
    write_value(&Source { name: "skilltree", url: env!("CARGO_PKG_REPOSITORY") }, out)?;
    out.write_all(b",\n\"diagnostics\":[")?;
    let mut separator = "\n";
    for warning in report.warnings.iter().filter(|warning| warning.fails) {
        out.write_all(separator.as_bytes())?;
        separator = ",\n";
        write_value(&of_run(warning), out)?;
    }
    for finding in report.active().flat_map(each) {
        out.write_all(separator.as_bytes())?;
        separator = ",\n";
        write_value(&diagnostic(report, excerpts, &finding), out)?;
    }
    out.write_all(b"\n]}\n")
}

/// Returns why the run fails without a finding. It is about no file.
fn of_run(warning: &Warning) -> Diagnostic<'_> {
    Diagnostic {
        message: prose(&escape::text(&warning.message)),
        location: Location { path: ".".to_owned(), range: None },
        severity: "ERROR",
        code: None,
        suggestions: None,
    }
}

fn diagnostic<'r>(report: &Report, excerpts: &Excerpts, finding: &'r Finding) -> Diagnostic<'r> {
    let excerpt = excerpts.get(finding.place);
    let severity = match finding.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Note => "INFO",
    };
    let edit = edits(finding).first().filter(|edit| is_complete(finding, edit));
    Diagnostic {
        message: message(finding),
        location: Location {
            path: escape::shown_path(report.text_path(finding)),
            range: Some(Range { start: point(excerpt.start), end: point(end(excerpt)) }),
        },
        severity,
        code: Some(Code { value: finding.rule.id(), url: rule_url(&finding.rule) }),
        suggestions: edit.map(|edit| [suggest(excerpts, edit)]),
    }
}

/// Returns whether an edit alone is a safe fix of its finding: reviewdog offers each suggestion separately.
fn is_complete(finding: &Finding, edit: &Edit) -> bool {
    let is_alone = finding.edits.len() == 1 && finding.line_ending.is_none() && finding.sweep.is_none();
    edit.safe && is_alone && edit.place.file == finding.place.file
}

fn suggest<'r>(excerpts: &Excerpts, edit: &'r Edit) -> Suggestion<'r> {
    let excerpt = excerpts.get(edit.place);
    Suggestion { range: Range { start: point(excerpt.start), end: point(excerpt.end) }, text: &edit.text }
}

/// Returns the end on the first line: reviewdog comments on the last line of a range, which may be far away.
fn end(excerpt: &Excerpt) -> Position {
    if excerpt.first_end.byte < excerpt.start.byte { excerpt.start } else { excerpt.first_end }
}

fn point(at: Position) -> Point {
    Point { line: at.line, column: at.utf8 }
}

/// Returns the fact, the runtimes that lose the skill, and the edit, as paragraphs.
fn message(finding: &Finding) -> String {
    let mut message = prose(&escape::text(&finding.message));
    let losses = describe_losses(&finding.losses);
    for paragraph in losses.into_iter().chain(finding.help.iter().map(|help| format!("help: {help}"))) {
        message.push_str("\n\n");
        message.push_str(&prose(&escape::text(&paragraph)));
    }
    if let Some(runtimes) = sources::of_finding(finding) {
        message.push_str("\n\n");
        message.push_str(&prose(&runtimes));
    }
    message
}
