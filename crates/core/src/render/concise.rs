//! One line per finding: `PATH:LINE:COLUMN: LEVEL[rule] message; consequence`, with the column in code points. The consequence
//! names the runtimes that lose the skill, if any.

use std::io::{self, Write};

use super::{Budget, Options, TEXT_BYTES, escape, summary};
use crate::excerpt::Excerpts;
use crate::lint::Report;
use crate::rule::{Finding, describe_losses};

/// Writes the active findings, the most severe first.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut budget = Budget::new(options.shown_findings, TEXT_BYTES);
    let mut omitted = 0;
    for finding in super::active(report) {
        let line = line(report, excerpts, finding);
        if budget.take(line.len()) {
            out.write_all(line.as_bytes())?;
        } else {
            omitted += 1;
        }
    }
    summary::write_omitted(omitted, out)
}

/// Formats a finding as a line, including its line ending.
fn line(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let place = place(report, excerpts, finding);
    let (level, rule, message) = (finding.level.name(), finding.rule.id, escape::text(&finding.message));
    let losses =
        describe_losses(&finding.losses).map_or_else(String::new, |losses| format!("; {}", escape::text(&losses)));
    // The parts are escaped, but together they could form a workflow command.
    escape::commands(&format!("{place}: {level}[{rule}] {message}{losses}\n")).into_owned()
}

/// Formats the place of a finding as `PATH:LINE:COLUMN`.
pub(super) fn place(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let start = excerpts.get(finding.place).start;
    format!("{}:{}:{}", escape::path(report.path(finding)), start.line, start.column)
}
