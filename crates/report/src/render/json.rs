//! JSON by schema/report.json: the complete report, for programs.
//!
//! Texts are verbatim, but hidden and control characters are written as `\uXXXX`, so that the file is safe to display.
//! Secrets are redacted.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::{Options, edits, redact, summary};
use skilltree_front_matter::text::{self, Place};
use skilltree_lint::excerpt::{Excerpts, Position};
use skilltree_lint::lint::{Base, Report, Warning};
use skilltree_lint::rule::{Finding, Ignored, IgnoredBy, Loaded, Loss, Occurrence, Severity, State, Subject};
use skilltree_runtimes::profile::Reported;
use skilltree_skills::json::write_value;
use skilltree_skills::snapshot::Origin;

/// Name of the schema.
const SCHEMA: &str = "skilltree/report/v1";

/// Writes all findings, including ignored ones, one per line.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"schema\":\"{SCHEMA}\",\n\"source\":")?;
    write_value(&source(report, options), out)?;
    out.write_all(b",\n\"summary\":")?;
    write_value(&counts(report, options), out)?;
    if let Some(base) = &report.base {
        out.write_all(b",\n\"base\":")?;
        write_value(&comparison(report, base), out)?;
    }
    out.write_all(b",\n\"warnings\":")?;
    write_value(&report.warnings.iter().map(warning).collect::<Vec<_>>(), out)?;
    out.write_all(b",\n\"runtimes\":")?;
    write_value(&report.loaded.iter().map(loaded).collect::<Vec<_>>(), out)?;
    out.write_all(b",\n\"findings\":[")?;
    for (number, finding) in report.findings.iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        write_value(&entry(report, excerpts, finding), out)?;
    }
    out.write_all(b"\n]}\n")
}

#[derive(Serialize)]
struct SourceEntry<'r> {
    kind: &'static str,
    revision: Option<&'r str>,
    commit: Option<String>,
    words: &'r str,
}

#[derive(Serialize)]
struct Summary {
    words: String,
    skills: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    ignored: usize,
}

#[derive(Serialize)]
struct Comparison<'r> {
    revision: &'r str,
    commit: Option<String>,
    new: usize,
    unchanged: usize,
    fixed: Vec<Gone<'r>>,
    missing: Option<Cow<'r, str>>,
}

#[derive(Serialize)]
struct WarningEntry<'r> {
    message: Cow<'r, str>,
    help: Option<Cow<'r, str>>,
}

/// What a runtime loads of the skills that it reads.
#[derive(Serialize)]
struct LoadedEntry<'r> {
    target: &'r str,
    basis: Option<&'r str>,
    skills: usize,
    loaded: usize,
    dropped: usize,
    changed: usize,
    unknown: usize,
    not_read: usize,
    not_listed: usize,
    shortened: usize,
}

#[derive(Serialize)]
struct Gone<'r> {
    rule: &'r str,
    severity: &'static str,
    message: Cow<'r, str>,
    path: String,
}

#[derive(Serialize)]
struct FindingEntry<'r> {
    rule: &'r str,
    severity: &'static str,
    message: Cow<'r, str>,
    notes: Vec<Cow<'r, str>>,
    help: Option<Cow<'r, str>>,
    path: String,
    range: Range,
    skill: Option<Cow<'r, str>>,
    occurrences: Vec<OccurrenceEntry<'r>>,
    related: Vec<Related<'r>>,
    runtimes: Vec<Lost<'r>>,
    edits: Vec<Replacement<'r>>,
    fingerprint: String,
    state: Option<&'static str>,
    suppressed: Option<Suppressed<'r>>,
}

#[derive(Serialize)]
struct OccurrenceEntry<'r> {
    range: Range,
    message: Cow<'r, str>,
    count: usize,
    fingerprint: String,
    state: Option<&'static str>,
}

#[derive(Serialize)]
struct Related<'r> {
    path: String,
    range: Range,
    message: Cow<'r, str>,
}

#[derive(Serialize)]
struct Lost<'r> {
    target: &'r str,
    basis: Option<&'r str>,
    outcome: &'static str,
    reported: Option<&'static str>,
}

#[derive(Serialize)]
struct Replacement<'r> {
    path: String,
    range: Range,
    text: &'r str,
    safe: bool,
}

#[derive(Serialize)]
struct Suppressed<'r> {
    by: &'static str,
    reason: Cow<'r, str>,
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
    utf16: u32,
    byte: u32,
}

fn source<'r>(report: &'r Report, options: &'r Options) -> SourceEntry<'r> {
    let (kind, revision, commit) = match &report.catalog.parsed.origin {
        Origin::Index => ("index", None, None),
        Origin::Tree { revision, commit } => ("tree", Some(revision.as_str()), *commit),
        Origin::WorkTree => ("worktree", None, None),
        Origin::Directory => ("directory", None, None),
        Origin::StandardInput => ("stdin", None, None),
        Origin::Memory => ("memory", None, None),
    };
    SourceEntry { kind, revision, commit: commit.map(|id| id.to_string()), words: &options.source }
}

fn counts(report: &Report, options: &Options) -> Summary {
    Summary {
        words: summary(report, options),
        skills: report.catalog.skill_count(),
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
        notes: report.count(Severity::Note),
        ignored: report.ignored(),
    }
}

fn comparison<'r>(report: &Report, base: &'r Base) -> Comparison<'r> {
    let gone = base.fixed.iter().map(|fixed| Gone {
        rule: fixed.rule.id(),
        severity: fixed.severity.name(),
        message: redact::text(&fixed.message),
        path: text::lossless(fixed.path.as_ref()),
    });
    Comparison {
        revision: &base.revision,
        commit: base.commit.map(|id| id.to_string()),
        new: report.active().count(),
        unchanged: report.existing(),
        fixed: gone.collect(),
        missing: base.missing.as_deref().map(redact::text),
    }
}

fn loaded(loaded: &Loaded) -> LoadedEntry<'_> {
    LoadedEntry {
        target: &loaded.runtime.id,
        basis: loaded.runtime.basis.as_deref(),
        skills: loaded.skills,
        loaded: loaded.count(),
        dropped: loaded.dropped(),
        changed: loaded.changed(),
        unknown: loaded.unknown.count,
        not_read: loaded.unread(),
        not_listed: loaded.omitted,
        shortened: loaded.shortened,
    }
}

fn warning(warning: &Warning) -> WarningEntry<'_> {
    WarningEntry { message: redact::text(&warning.message), help: warning.help.as_deref().map(redact::text) }
}

fn entry<'r>(report: &'r Report, excerpts: &Excerpts, finding: &'r Finding) -> FindingEntry<'r> {
    let skill = match finding.subject {
        Subject::Skill(skill) => report.catalog.skill(skill).name(),
        _ => None,
    };
    let related = finding.related.iter().map(|(place, label)| Related {
        path: path(report, *place),
        range: range(excerpts, *place),
        message: redact::text(label),
    });
    let edits = edits(finding).iter().map(|edit| Replacement {
        path: path(report, edit.place),
        range: range(excerpts, edit.place),
        text: &edit.text,
        safe: edit.safe,
    });
    FindingEntry {
        rule: finding.rule.id(),
        severity: finding.severity.name(),
        message: redact::text(&finding.message),
        notes: finding.notes.iter().map(|note| redact::text(note)).collect(),
        help: finding.help.as_deref().map(redact::text),
        path: path(report, finding.place),
        range: range(excerpts, finding.place),
        skill: skill.map(redact::text),
        occurrences: occurrences(excerpts, finding),
        related: related.collect(),
        runtimes: finding.losses.iter().map(lost).collect(),
        edits: edits.collect(),
        fingerprint: excerpts.fingerprint(finding).to_string(),
        state: finding.state.map(State::name),
        suppressed: finding.ignored.as_ref().map(suppressed),
    }
}

/// Returns the places of a finding that merges several.
fn occurrences<'r>(excerpts: &Excerpts, finding: &'r Finding) -> Vec<OccurrenceEntry<'r>> {
    let each = finding.each();
    let entry = |(one, of): (&'r Occurrence, &Cow<'_, Finding>)| OccurrenceEntry {
        range: range(excerpts, one.place),
        message: redact::text(&one.message),
        count: one.count,
        fingerprint: excerpts.fingerprint(of).to_string(),
        state: one.state.map(State::name),
    };
    if each.len() < 2 { Vec::new() } else { finding.occurrences.iter().zip(&each).map(entry).collect() }
}

fn lost(loss: &Loss) -> Lost<'_> {
    Lost {
        target: &loss.runtime.id,
        basis: loss.runtime.basis.as_deref(),
        outcome: loss.outcome.word(),
        reported: loss.reported.map(Reported::word),
    }
}

fn suppressed(ignored: &Ignored) -> Suppressed<'_> {
    let by = match ignored.by {
        IgnoredBy::Configuration => "configuration",
        IgnoredBy::Comment => "comment",
    };
    Suppressed { by, reason: redact::text(&ignored.reason) }
}

fn path(report: &Report, place: Place) -> String {
    text::lossless(report.catalog.file(place.file).reported_path().as_ref())
}

fn range(excerpts: &Excerpts, place: Place) -> Range {
    let excerpt = excerpts.get(place);
    let point = |at: Position| Point { line: at.line, column: at.column, utf16: at.utf16, byte: at.byte };
    Range { start: point(excerpt.start), end: point(excerpt.end) }
}
