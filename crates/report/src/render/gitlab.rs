//! GitLab Code Quality: a list with one entry per place.
//!
//! GitLab stops reading at the first entry without a required member, and keeps one entry per fingerprint.

use std::io::{self, Write};

use serde::Serialize;

use super::{Options, concise, each, escape, sources};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::{Report, Warning};
use skilltree_lint::rule::{Finding, Group, Severity};
use skilltree_skills::json::write_value;

/// Names the entry about the run.
const RUN: &str = "skilltree";

#[derive(Serialize)]
struct Entry {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Writes the active findings, the most severe first.
pub(super) fn write(report: &Report, excerpts: &Excerpts, _: &Options, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    let mut separator = "\n";
    let about_run = report.warnings.iter().filter(|warning| warning.fails).map(of_run);
    for entry in about_run.chain(report.active().flat_map(each).map(|finding| entry(report, excerpts, &finding))) {
        out.write_all(separator.as_bytes())?;
        separator = ",\n";
        write_value(&entry, out)?;
    }
    out.write_all(b"\n]\n")
}

/// Returns why the run fails without a finding. It is about no file.
fn of_run(warning: &Warning) -> Entry {
    Entry {
        description: escape::text(&warning.message),
        check_name: RUN.to_owned(),
        fingerprint: RUN.to_owned(),
        severity: "major",
        location: Location { path: ".".to_owned(), lines: Lines { begin: 1, end: 1 } },
    }
}

fn entry(report: &Report, excerpts: &Excerpts, finding: &Finding) -> Entry {
    let excerpt = excerpts.get(finding.place);
    let help = finding.help.iter().map(|help| format!("; help: {}", escape::text(help))).collect::<String>();
    let runtimes = sources::of_finding(finding).map_or_else(String::new, |runtimes| format!("; {runtimes}"));
    Entry {
        description: format!("{}{help}{runtimes}", concise::facts(finding)),
        check_name: finding.rule.id().to_owned(),
        fingerprint: excerpts.fingerprint(finding).to_string(),
        severity: severity(finding),
        location: Location {
            path: escape::shown_path(report.text_path(finding)),
            lines: Lines { begin: excerpt.start.line, end: excerpt.first_end.line },
        },
    }
}

/// Maps a severity to one of GitLab's five. `blocker` is not used: GitLab does not block a merge request because of it.
fn severity(finding: &Finding) -> &'static str {
    match finding.severity {
        Severity::Error if finding.rule.group == Group::Security => "critical",
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    }
}
