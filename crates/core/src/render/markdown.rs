//! Job summary that can be pasted into an issue: counts, then the findings under their files, the most severe first.
//!
//! Foreign text appears only in code spans. Entities and backslashes are not enough: GitHub still detects mentions,
//! references and URLs in the result. Table cells need escapes that other trackers display, so findings are in lists.

use std::io::{self, Write};

use super::{Budget, Omitted, Options, Reason, escape, rule_url, summary};
use crate::excerpt::Excerpts;
use crate::lint::Report;
use crate::rule::{Finding, Level};
use crate::snapshot::File;
use crate::text::FileId;

/// Maximum number of bytes of a summary: GitHub rejects summaries over 1 MiB, and other steps may add to it.
const SUMMARY_BYTES: usize = 900 << 10;
/// Maximum number of related places of an entry.
const RELATED: usize = 8;

/// Writes the active findings, each run of one file under its path.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## skilltree: {}\n", headline(report))?;
    writeln!(out, "{}.", summary::checked(report, options, &prose(&escape::text(&options.source))))?;
    if let Some(words) = summary::comparison(report) {
        writeln!(out, "\n{}.", prose(&words))?;
    }
    for warning in &report.warnings {
        writeln!(out, "\n**warning**: {}", prose(&escape::text(&warning.message)))?;
        warning.help.iter().try_for_each(|help| writeln!(out, "\nhelp: {}", prose(&escape::text(help))))?;
    }
    let mut budget = Budget::new(options.shown_findings, SUMMARY_BYTES.min(options.text_bytes));
    let mut omitted = Omitted::default();
    let mut last: Option<FileId> = None;
    for finding in super::active(report) {
        let mut text = String::new();
        if last != Some(finding.place.file) {
            text = heading(report.catalog.file(finding.place.file));
        }
        text.push_str(&entry(report, excerpts, finding));
        if budget.take(finding, text.len()) {
            last = Some(finding.place.file);
            out.write_all(text.as_bytes())?;
        } else {
            omitted.add(finding);
        }
    }
    omitted.words().map_or(Ok(()), |words| writeln!(out, "\n{words}."))
}

/// Writes why a run failed.
pub(super) fn write_failed(reason: &Reason, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## skilltree: failed\n\n{}", prose(&reason.fact()))?;
    reason.lines().try_for_each(|line| writeln!(out, "\n{}", prose(&line)))
}

fn headline(report: &Report) -> String {
    let levels = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    let counts = levels.into_iter().map(|(level, word)| (report.count(level), word)).filter(|(number, _)| *number > 0);
    let words: Vec<String> = counts.map(|(number, word)| summary::count(number, word)).collect();
    if words.is_empty() { summary::nothing(report).into() } else { words.join(", ") }
}

fn heading(file: &File) -> String {
    format!("\n### {}\n\n", code(&escape::path(file.reported_path().as_ref())))
}

fn entry(report: &Report, excerpts: &Excerpts, finding: &Finding) -> String {
    let start = excerpts.get(finding.place).start;
    let (rule, url, level) = (finding.rule.id, rule_url(finding.rule), finding.level.name());
    let message = prose(&escape::text(&finding.message));
    let mut entry = format!("- {}:{} **{level}** [{rule}]({url}): {message}\n", start.line, start.column);
    for (place, label) in finding.related.iter().take(RELATED) {
        let path = code(&escape::path(report.catalog.file(place.file).reported_path().as_ref()));
        let line = excerpts.get(*place).start.line;
        entry.push_str(&format!("  - {path} line {line}: {}\n", prose(&escape::text(label))));
    }
    for note in finding.notes.iter().take(RELATED) {
        entry.push_str(&format!("  - {}\n", prose(&escape::text(note))));
    }
    if let Some(help) = &finding.help {
        entry.push_str(&format!("  - help: {}\n", prose(&escape::text(help))));
    }
    entry
}

/// Formats a message: each part in backticks becomes a code span. If the text outside of them contains markup, the
/// whole message becomes one.
pub(super) fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let (outside, inside) = (pieces.iter().step_by(2), pieces.iter().skip(1).step_by(2));
    let is_plain = pieces.len() % 2 == 1 && outside.clone().all(|piece| is_plain(piece));
    if !is_plain || inside.clone().any(|piece| piece.is_empty()) {
        return code(text);
    }
    let words = pieces.iter().enumerate();
    words.map(|(number, piece)| if number % 2 == 1 { code(piece) } else { (*piece).to_string() }).collect()
}

/// Returns whether a text is inert in every renderer: no markup, URL, mention or reference.
fn is_plain(words: &str) -> bool {
    let harmless = |c: char| {
        c.is_alphanumeric()
            || matches!(c, ' ' | ',' | ';' | '.' | ':' | '(' | ')' | '\'' | '"' | '-' | '/' | '%' | '=' | '…')
    };
    words.chars().all(harmless) && !words.contains("://") && !words.to_ascii_lowercase().contains("www.")
}

/// Formats a code span with a fence longer than any in its text. Padding preserves leading and trailing spaces.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pads = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty();
    let pad = if pads { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_foreign_text_in_code_spans() {
        let cases = [
            ("the name `a|b` is used twice", "the name `a|b` is used twice"),
            ("the name `<img src=x>` is long", "the name `<img src=x>` is long"),
            ("the name `@org/admins` is long", "the name `@org/admins` is long"),
            ("the name `a`@org`b` is long", "``the name `a`@org`b` is long``"),
            ("ask @org", "`ask @org`"),
            ("see https://example.org", "`see https://example.org`"),
            ("a `` b", "```a `` b```"),
            ("an open ` tick", "``an open ` tick``"),
            ("[x](y)", "`[x](y)`"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(prose(text), expected);
        }
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code(""), "`  `");
    }
}
