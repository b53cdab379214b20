//! What a run came to, in a line.

use std::io::{self, Write};

use super::{Options, escape};
use crate::fix::{self, Offers};
use crate::lint::Report;
use crate::rule::Level;

/// The line about a run: `2 errors, 1 warning in 12 skills; checked the index (skills tree 3f2c1ab)`.
pub fn summary(report: &Report, options: &Options) -> String {
    let source = escape::text(&options.source);
    let levels = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    let found: Vec<String> = levels
        .into_iter()
        .map(|(level, word)| (report.count(level), word))
        .filter(|&(number, _)| number > 0)
        .map(|(number, word)| count(number, word))
        .collect();
    let ignored = report.ignored();
    let ignored = if ignored == 0 { String::new() } else { format!(" ({ignored} ignored)") };
    let beside = comparison(report).map_or_else(String::new, |words| format!("; {words}"));
    if found.is_empty() {
        return format!("{}: {}{ignored}{beside}", checked(report, options, &source), nothing(report));
    }
    let judged = judged(report, options);
    let part = part(report).map_or_else(String::new, |part| format!("{part} of "));
    format!("{}{ignored} in {part}{judged}; checked {source}{beside}", found.join(", "))
}

/// How many skills were judged: `3 skills checked in the work tree, 1 reported on`. `source` is that of the options, escaped.
pub(super) fn checked(report: &Report, options: &Options, source: &str) -> String {
    let judged = judged(report, options);
    let part = part(report).map_or_else(String::new, |part| format!(", {part} reported on"));
    format!("{judged} checked in {source}{part}")
}

/// What was judged, and how much of it. A line that is no entry was meant to be one, and counts.
fn judged(report: &Report, options: &Options) -> String {
    if options.entries {
        let knowledge = report.catalog.parsed.records.knowledge.as_ref();
        return count(knowledge.map_or(0, |knowledge| knowledge.lines.len()), "entry");
    }
    count(report.catalog.parsed.skills.len(), "skill")
}

/// How many skills the findings are about, where they are not about all.
fn part(report: &Report) -> Option<usize> {
    report.reported.filter(|&reported| reported < report.catalog.parsed.skills.len())
}

/// The line about what can be mended: ``2 findings fixable with `skilltree fix`, 1 more with `--unsafe` ``.
pub fn fixable(report: &Report) -> Option<String> {
    let Offers { safe, unsafe_edits } = fix::offers(report);
    match (safe, unsafe_edits) {
        (0, 0) => None,
        (0, other) => Some(format!("{} fixable with `skilltree fix --unsafe`", count(other, "finding"))),
        (safe, 0) => Some(format!("{} fixable with `skilltree fix`", count(safe, "finding"))),
        (safe, other) => {
            Some(format!("{} fixable with `skilltree fix`, {other} more with `--unsafe`", count(safe, "finding")))
        }
    }
}

/// That nothing was found, which beside a base is nothing new.
pub(super) fn nothing(report: &Report) -> &'static str {
    if report.base.is_some() { "no new findings" } else { "no findings" }
}

/// What came of the comparison with a base: `2 new, 3 unchanged, 1 fixed since 3f2c1ab`.
pub(super) fn comparison(report: &Report) -> Option<String> {
    let base = report.base.as_ref()?;
    let commit = base.commit.map(|commit| commit.to_string()[..7].to_owned());
    let since = commit.unwrap_or_else(|| escape::text(&base.revision));
    let (new, unchanged, fixed) = (report.standing().count(), report.unchanged(), base.fixed.len());
    Some(format!("{new} new, {unchanged} unchanged, {fixed} fixed since {since}"))
}

/// A number and its word: `1 error`, `2 errors`, `2 entries`.
pub fn count(number: usize, word: &str) -> String {
    match word.strip_suffix("ry") {
        _ if number == 1 => format!("1 {word}"),
        Some(stem) => format!("{number} {stem}ries"),
        None => format!("{number} {word}s"),
    }
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
