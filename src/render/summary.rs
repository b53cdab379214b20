//! What a run came to, in a line.

use std::io::{self, Write};

use super::escape;
use crate::lint::Report;
use crate::rule::Level;

/// The line about a run: `2 errors, 1 warning in 12 skills; checked the index (skills tree 3f2c1ab)`.
///
/// `source` says what was checked, as [`Options::source`](super::Options::source) does.
pub fn summary(report: &Report, source: &str) -> String {
    let skills = count(report.catalog.parsed.skills.len(), "skill");
    let source = escape::text(source);
    let levels = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    let found: Vec<String> = levels
        .into_iter()
        .map(|(level, word)| (report.count(level), word))
        .filter(|&(number, _)| number > 0)
        .map(|(number, word)| count(number, word))
        .collect();
    let ignored = report.findings.len() - report.standing().count();
    let ignored = if ignored == 0 { String::new() } else { format!(" ({ignored} ignored)") };
    if found.is_empty() {
        return format!("{skills} checked in {source}: no findings{ignored}");
    }
    format!("{}{ignored} in {skills}; checked {source}", found.join(", "))
}

/// A number and its word: `1 error`, `2 errors`.
pub(super) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// How many findings are not shown, in words; nothing when all are.
pub(super) fn left_out_words(number: usize) -> Option<String> {
    let are = if number == 1 { "finding is" } else { "findings are" };
    (number > 0).then(|| format!("{number} more {are} not shown"))
}

/// Writes how many findings are not shown, as the last line of a text.
pub(super) fn left_out(number: usize, out: &mut dyn Write) -> io::Result<()> {
    left_out_words(number).map_or(Ok(()), |words| writeln!(out, "{words} (limits.shown-findings, 16 MiB of text)"))
}
