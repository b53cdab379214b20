//! Statistics: the number of findings per rule.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use super::edits;
use skilltree_front_matter::text::FileId;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{RuleRef, Severity};
use skilltree_skills::json;

/// Name of the schema.
const SCHEMA: &str = "skilltree/statistics/v1";

/// Findings of a rule.
#[derive(Clone, Debug)]
struct Row {
    rule: RuleRef,
    /// Highest severity of the active findings; `None` if all are ignored.
    severity: Option<Severity>,
    /// Number of active findings.
    findings: usize,
    /// Number of active findings with edits.
    edits: usize,
    /// Files with active findings.
    files: BTreeSet<FileId>,
    /// Number of ignored findings.
    ignored: usize,
}

/// Returns the rules with findings, by descending number, then by id.
fn rows(report: &Report) -> Vec<Row> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let row = |rule: RuleRef| Row { rule, severity: None, findings: 0, edits: 0, files: BTreeSet::new(), ignored: 0 };
    for finding in report.active() {
        let row = rows.entry(finding.rule.id()).or_insert_with(|| row(finding.rule.clone()));
        row.severity = row.severity.max(Some(finding.severity));
        row.findings += 1;
        row.edits += usize::from(!edits(finding).is_empty());
        row.files.insert(finding.place.file);
    }
    for finding in report.findings.iter().filter(|finding| finding.ignored.is_some()) {
        rows.entry(finding.rule.id()).or_insert_with(|| row(finding.rule.clone())).ignored += 1;
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.findings));
    rows
}

/// Writes one line per rule: number of active findings, highest severity, id, summary. `[*]` marks rules with fixable
/// findings.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_text(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Row> = rows(report).into_iter().filter(|row| row.findings > 0).collect();
    let digits = rows.first().map_or(0, |row| row.findings.to_string().len());
    let width = rows.iter().map(|row| row.rule.id().len()).max().unwrap_or_default();
    let has_edits = rows.iter().any(|row| row.edits > 0);
    for row in &rows {
        let Row { rule, severity, findings, .. } = row;
        let mark = match (has_edits, row.edits) {
            (false, _) => "",
            (true, 0) => "    ",
            (true, _) => "[*] ",
        };
        writeln!(
            out,
            "{findings:digits$}  {:7}  {mark}{:width$}  {}",
            severity.map_or("", Severity::name),
            rule.id(),
            rule.summary()
        )?;
    }
    if has_edits {
        let edits = rows.iter().map(|row| row.edits).sum();
        let findings = super::count(edits, "finding");
        writeln!(out, "[*] {findings} with a fix")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct RuleCount<'a> {
    rule: &'a str,
    severity: Option<&'static str>,
    findings: usize,
    files: usize,
    edits: usize,
    ignored: usize,
}

#[derive(Serialize)]
struct Statistics<'a> {
    schema: &'static str,
    source: &'a str,
    rules: Vec<RuleCount<'a>>,
}

impl<'a> RuleCount<'a> {
    fn of(row: &'a Row) -> Self {
        Self {
            rule: row.rule.id(),
            severity: row.severity.map(Severity::name),
            findings: row.findings,
            files: row.files.len(),
            edits: row.edits,
            ignored: row.ignored,
        }
    }
}

/// Writes the statistics as JSON by schema/statistics.json. `source` is the checked source, as in
/// [`Options::source`](super::Options::source).
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_json(report: &Report, source: &str, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(report);
    let rules = rows.iter().map(RuleCount::of).collect();
    json::write_pretty(&Statistics { schema: SCHEMA, source, rules }, out)
}
