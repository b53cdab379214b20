//! A line a finding: `PATH:LINE:COLUMN: LEVEL[rule] message`, the column in code points.

use std::io::{self, Write};

use super::{Budget, Options, TEXT_BYTES, escape, summary};
use crate::excerpt::Excerpts;
use crate::lint::Report;
use crate::rule::Finding;

/// Writes the findings that stand, in the order of the report.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut budget = Budget::new(options.shown_findings, TEXT_BYTES);
    let mut left_out = 0;
    for finding in report.standing() {
        let line = line(report, excerpts, finding);
        if budget.take(line.len()) {
            out.write_all(line.as_bytes())?;
        } else {
            left_out += 1;
        }
    }
    summary::left_out(left_out, out)
}

/// A finding in a line, its end included.
fn line(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let place = place(report, excerpts, finding);
    let (level, rule, message) = (finding.level.name(), finding.rule.id, escape::text(&finding.message));
    // The parts are harmless, and so must be what they make together.
    escape::commands(&format!("{place}: {level}[{rule}] {message}\n")).into_owned()
}

/// Where a finding is: `PATH:LINE:COLUMN`.
pub(super) fn place(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let start = excerpts.get(finding.place).start;
    format!("{}:{}:{}", escape::path(report.path(finding)), start.line, start.column)
}
