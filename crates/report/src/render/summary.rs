//! Summary of a run in one line.

use std::io::{self, Write};

use super::{Commands, Options, escape};
use skilltree_front_matter::text;
use skilltree_lint::fix::{self, Offers};
use skilltree_lint::lint::Report;
use skilltree_lint::rule::Severity;

/// Returns the summary: `2 errors, 1 warning in 12 skills (index)`.
pub fn summary(report: &Report, options: &Options) -> String {
    let compared = comparison(report).map_or_else(String::new, |words| format!("; {words}"));
    format!("{}{compared}", found(report, options))
}

/// Returns the summary without the comparison with a base.
pub fn found(report: &Report, options: &Options) -> String {
    let found = counts(|severity| report.count(severity)).unwrap_or_else(|| nothing(report).to_owned());
    let ignored = report.ignored();
    let ignored = if ignored == 0 { String::new() } else { format!(" ({} ignored)", text::grouped(ignored)) };
    format!("{found}{ignored} in {}", checked(report, options))
}

/// Describes numbers of findings, the most severe first: `2 errors, 1 warning`; `None` if there are none.
pub(super) fn counts(number: impl Fn(Severity) -> usize) -> Option<String> {
    let severities = [Severity::Error, Severity::Warning, Severity::Note].into_iter();
    let counts = severities.map(|severity| (number(severity), severity.name())).filter(|&(number, _)| number > 0);
    let counts: Vec<String> = counts.map(|(number, word)| count(number, word)).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// Returns the number of checked skills: `3 skills (working tree)`, or `1 of 3 skills (index)` if only one is reported on.
pub(super) fn checked(report: &Report, options: &Options) -> String {
    let part = part(report).map_or_else(String::new, |part| format!("{} of ", text::grouped(part)));
    format!("{part}{} ({})", subjects(report, options), escape::text(&options.place))
}

/// Counts the checked skills or entries. A malformed line counts as an entry.
fn subjects(report: &Report, options: &Options) -> String {
    if options.entries {
        let knowledge = report.catalog.parsed.records.knowledge.as_ref();
        return count(knowledge.map_or(0, |knowledge| knowledge.lines.len()), "entry");
    }
    count(report.catalog.skill_count(), "skill")
}

/// Returns the number of skills reported on, if it is smaller than the number of skills.
fn part(report: &Report) -> Option<usize> {
    report.reported.filter(|&reported| reported < report.catalog.skill_count())
}

/// Returns the line about fixable findings: `2 fixable: skilltree fix`.
pub fn fixable(report: &Report, commands: &Commands) -> Option<String> {
    offered(fix::offers(report), commands)
}

/// Returns the line about a number of fixable findings.
pub fn offered(Offers { safe, unsafe_edits }: Offers, commands: &Commands) -> Option<String> {
    let fix = &commands.fix;
    match (safe, unsafe_edits) {
        (0, 0) => None,
        (0, other) => Some(format!("{} fixable: {fix} --unsafe", text::grouped(other))),
        (safe, 0) => Some(format!("{} fixable: {fix}", text::grouped(safe))),
        (safe, other) => {
            Some(format!("{} fixable: {fix}; {} more with --unsafe", text::grouped(safe), text::grouped(other)))
        }
    }
}

/// Returns the text for a report without findings.
pub(super) fn nothing(report: &Report) -> &'static str {
    if report.compared().is_some() { "no new findings" } else { "no findings" }
}

/// Summarizes the comparison with a base: `2 new, 3 existing, 1 fixed since 3f2c1ab`.
pub(super) fn comparison(report: &Report) -> Option<String> {
    let base = report.compared()?;
    let commit = base.commit.map(|commit| commit.to_string()[..7].to_owned());
    let since = commit.unwrap_or_else(|| escape::text(&base.revision));
    let (new, existing, fixed) = (report.active().count(), report.existing(), base.fixed.len());
    let [new, existing, fixed] = [new, existing, fixed].map(text::grouped);
    Some(format!("{new} new, {existing} existing, {fixed} fixed since {since}"))
}

/// Writes why the run fails without a finding.
pub(super) fn write_failing(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut failing = report.warnings.iter().filter(|warning| warning.fails);
    failing.try_for_each(|warning| writeln!(out, "error: {}", escape::commands(&escape::text(&warning.message))))
}

/// Formats a number with its noun: `1 error`, `2 errors`, `2 entries`.
pub fn count(number: usize, word: &str) -> String {
    let shown = text::grouped(number);
    match word.strip_suffix("ry") {
        _ if number == 1 => format!("1 {word}"),
        Some(stem) => format!("{shown} {stem}ries"),
        None => format!("{shown} {word}s"),
    }
}
