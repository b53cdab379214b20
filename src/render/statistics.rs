//! How much each rule found, instead of what.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use super::{edits, json};
use crate::lint::Report;
use crate::rule::{Level, Rule};
use crate::text::FileId;

/// The name of the schema.
const SCHEMA: &str = "skilltree/statistics/v1";

/// What a rule found.
#[derive(Clone, Debug)]
struct Row {
    rule: &'static Rule,
    /// The worst level of what stands.
    level: Level,
    /// Findings that stand.
    findings: usize,
    /// Those of them that come with an edit.
    edits: usize,
    /// The files that they are in.
    files: BTreeSet<FileId>,
    /// Findings that somebody left out.
    ignored: usize,
}

/// The rules that found something, most of it first, then by id.
fn rows(report: &Report) -> Vec<Row> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let row = |rule: &'static Rule| Row {
        rule,
        level: Level::Off,
        findings: 0,
        edits: 0,
        files: BTreeSet::new(),
        ignored: 0,
    };
    for finding in report.standing() {
        let row = rows.entry(finding.rule.id).or_insert_with(|| row(finding.rule));
        row.level = row.level.max(finding.level);
        row.findings += 1;
        row.edits += usize::from(!edits(finding).is_empty());
        row.files.insert(finding.place.file);
    }
    for finding in report.findings.iter().filter(|finding| finding.ignored.is_some()) {
        rows.entry(finding.rule.id).or_insert_with(|| row(finding.rule)).ignored += 1;
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.findings));
    rows
}

/// Writes a line a rule: how many findings stand, their worst level, the id, what the rule is about. `[*]` marks a rule some
/// of whose findings come with an edit.
///
/// # Errors
/// What the writer fails with.
pub fn write_text(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Row> = rows(report).into_iter().filter(|row| row.findings > 0).collect();
    let digits = rows.first().map_or(0, |row| row.findings.to_string().len());
    let width = rows.iter().map(|row| row.rule.id.len()).max().unwrap_or_default();
    let has_edits = rows.iter().any(|row| row.edits > 0);
    for row in &rows {
        let Row { rule, level, findings, .. } = row;
        let mark = match (has_edits, row.edits) {
            (false, _) => "",
            (true, 0) => "    ",
            (true, _) => "[*] ",
        };
        writeln!(out, "{findings:digits$}  {:7}  {mark}{:width$}  {}", level.name(), rule.id, rule.summary)?;
    }
    if has_edits {
        let edits = rows.iter().map(|row| row.edits).sum();
        let findings = super::count(edits, "finding");
        writeln!(out, "[*] {findings} with an edit")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Entry {
    rule: &'static str,
    level: Option<&'static str>,
    findings: usize,
    files: usize,
    edits: usize,
    ignored: usize,
}

#[derive(Serialize)]
struct Statistics<'a> {
    schema: &'static str,
    source: &'a str,
    rules: Vec<Entry>,
}

/// Writes the same for programs, by schema/statistics.json. `source` says what was checked, as
/// [`Options::source`](super::Options::source) does.
///
/// # Errors
/// What the writer fails with.
pub fn write_json(report: &Report, source: &str, out: &mut dyn Write) -> io::Result<()> {
    let entry = |row: &Row| Entry {
        rule: row.rule.id,
        level: (row.level != Level::Off).then(|| row.level.name()),
        findings: row.findings,
        files: row.files.len(),
        edits: row.edits,
        ignored: row.ignored,
    };
    let rules = rows(report).iter().map(entry).collect();
    json::write_pretty(&Statistics { schema: SCHEMA, source, rules }, out)
}
