//! One line per finding: `PATH:LINE:COLUMN: LEVEL[rule] message; consequence`, with the column in code points. The consequence
//! names the runtimes that lose the skill, if any.

use std::io::{self, Write};

use super::{Budget, Omitted, Options, escape, summary};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Finding, describe_losses};

/// Writes the active findings, the most severe first.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    summary::write_failing(report, out)?;
    let mut budget = Budget::new(options.shown_findings, options.text_bytes);
    let mut omitted = Omitted::default();
    for finding in report.active() {
        let line = line(report, excerpts, finding);
        if budget.take(finding, line.len()) {
            out.write_all(line.as_bytes())?;
        } else {
            omitted.add(finding);
        }
    }
    omitted.write(options, out)
}

/// Formats a finding as a line, including its line ending.
pub(super) fn line(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let place = place(report, excerpts, finding);
    let (severity, rule, facts) = (finding.severity.name(), finding.rule.id(), facts(finding));
    // The parts are escaped, but together they could form a workflow command.
    escape::commands(&format!("{place}: {severity}[{rule}] {facts}\n")).into_owned()
}

/// Returns the message of a finding and the runtimes that lose the skill.
pub(super) fn facts(finding: &Finding) -> String {
    let losses =
        describe_losses(&finding.losses).map_or_else(String::new, |losses| format!("; {}", escape::text(&losses)));
    format!("{}{losses}", escape::text(&finding.message))
}

/// Formats the place of a finding as `PATH:LINE:COLUMN`.
pub(super) fn place(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let start = excerpts.get(finding.place).start;
    format!("{}:{}:{}", escape::path(report.path(finding)), start.line, start.column)
}
