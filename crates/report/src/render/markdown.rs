//! Job summary that can be pasted into an issue: counts, then the findings under their files, the most severe first.
//!
//! Foreign text appears only in code spans, see [`skilltree_skills::markdown`]. Entities and backslashes are not enough: GitHub still
//! detects mentions, references and URLs in the result. Table cells need escapes that other trackers display, so findings are
//! in lists. The whole is under 65,536 bytes, so that it fits a comment.

use std::io::{self, Write};

use bstr::ByteSlice;

use super::changes::markdown::consequences;
use super::pieces::{BYTES, line_url, path, prose};
use super::verdict::{self, Line};
use super::{Budget, Omitted, Options, Reason, escape, rule_url, summary};
use skilltree_front_matter::text::{self, FileId};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::Finding;
use skilltree_skills::roots::Owner;

/// Bytes for what the change does, above the findings.
const CONSEQUENCES_BYTES: usize = 16_000;
/// Bytes that the findings leave to the lines after them.
const TAIL_BYTES: usize = 256;
/// Maximum number of related places of an entry.
const RELATED: usize = 8;
/// Maximum number of bytes of an entry; a longer one has neither related places nor notes.
const ENTRY_BYTES: usize = 8_000;
/// Maximum number of characters of a text in a shortened entry.
const SHOWN_CHARS: usize = 300;

/// Writes the active findings, each run of one file under its path, then the fixed ones.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut text = head(report, options);
    let most = (BYTES - TAIL_BYTES).min(options.text_bytes);
    let mut budget = Budget::new(options.shown_findings, most.saturating_sub(text.len()));
    let mut omitted = Omitted::default();
    let mut last: Option<FileId> = None;
    for finding in report.active() {
        let mut piece = String::new();
        if last != Some(finding.place.file) {
            piece = heading(report, finding, options);
        }
        piece.push_str(&entry(report, excerpts, finding, options));
        if budget.take(finding, piece.len()) {
            last = Some(finding.place.file);
            text.push_str(&piece);
        } else {
            omitted.add(finding);
        }
    }
    if let Some(words) = omitted.words() {
        text.push_str(&format!("\n{words}.\n"));
    }
    write_fixed(report, &mut text);
    out.write_all(text.as_bytes())
}

/// Writes why a run failed.
pub(super) fn write_failed(reason: &Reason, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## skilltree: failed\n\n{}", prose(&reason.fact()))?;
    reason.lines().try_for_each(|line| writeln!(out, "\n{}", prose(&line)))
}

fn head(report: &Report, options: &Options) -> String {
    let mut text = format!("## skilltree: {}\n\n", headline(report));
    for warning in &report.warnings {
        let severity = if warning.fails { "error" } else { "warning" };
        text.push_str(&format!("**{severity}**: {}\n\n", short(&warning.message)));
        warning.help.iter().for_each(|help| text.push_str(&format!("help: {}\n\n", short(help))));
    }
    if let Some(changes) = &options.changes {
        text.push_str(&format!("**{}**\n\n", prose(&escape::text(&changes.summary()))));
        let consequences = consequences(changes, options.links.as_deref(), CONSEQUENCES_BYTES);
        if !consequences.is_empty() {
            text.push_str(&format!("{}\n", consequences.trim_start()));
        }
    }
    text.push_str(&format!("{}.\n", prose(&summary::checked(report, options))));
    if let Some(words) = summary::comparison(report) {
        text.push_str(&format!("\n{}.\n", prose(&words)));
    }
    for (number, Line { label, text: result, .. }) in verdict::lines(report, &options.commands).into_iter().enumerate()
    {
        let before = if number == 0 { "\n" } else { "" };
        let result = if result.is_empty() { String::new() } else { format!(": {}", short(&result)) };
        text.push_str(&format!("{before}- {}{result}\n", prose(&label)));
    }
    text
}

fn headline(report: &Report) -> String {
    summary::counts(|severity| report.count(severity)).unwrap_or_else(|| summary::nothing(report).into())
}

fn heading(report: &Report, finding: &Finding, options: &Options) -> String {
    format!("\n### {}\n\n", path(report.path(finding), links(report, finding, options)))
}

/// Returns the address of the files of the commit, if the file of a finding is one of them.
fn links<'o>(report: &Report, finding: &Finding, options: &'o Options) -> Option<&'o str> {
    let root = report.catalog.file(finding.place.file).root;
    let is_committed = root.is_none_or(|root| report.catalog.root(root).owner == Owner::Repository);
    options.links.as_deref().filter(|_| is_committed)
}

fn entry(report: &Report, excerpts: &Excerpts, finding: &Finding, options: &Options) -> String {
    let start = excerpts.get(finding.place).start;
    let (rule, page, level) = (finding.rule.id(), rule_url(&finding.rule), finding.severity.name());
    let place = format!("{}:{}", start.line, start.column);
    let place = match links(report, finding, options) {
        Some(links) => format!("[{place}]({})", line_url(links, report.path(finding), start.line)),
        None => place,
    };
    let lead = format!("- {place} **{level}** [{rule}]({page}):");
    let mut entry = format!("{lead} {}\n", prose(&escape::text(&finding.message)));
    for (place, label) in finding.related.iter().take(RELATED) {
        let path = path(report.catalog.file(place.file).reported_path().as_ref(), None);
        let line = excerpts.get(*place).start.line;
        entry.push_str(&format!("  - {path} line {line}: {}\n", prose(&escape::text(label))));
    }
    for note in finding.notes.iter().take(RELATED) {
        entry.push_str(&format!("  - {}\n", prose(&escape::text(note))));
    }
    if let Some(help) = &finding.help {
        entry.push_str(&format!("  - help: {}\n", prose(&escape::text(help))));
    }
    // One hostile finding must not take the place of the others.
    if entry.len() > ENTRY_BYTES { format!("{lead} {}\n", short(&finding.message)) } else { entry }
}

/// Formats a message that may be long.
fn short(message: &str) -> String {
    prose(&text::shortened(&escape::text(message), SHOWN_CHARS))
}

/// Adds the fixed findings, as far as they fit.
fn write_fixed(report: &Report, text: &mut String) {
    let fixed = report.base.iter().flat_map(|base| &base.fixed);
    let mut shown = 0;
    for finding in fixed.clone() {
        let (place, rule) = (path(finding.path.as_bstr(), None), finding.rule.id());
        let line = format!("- {place} [{rule}]({}): {}\n", rule_url(&finding.rule), short(&finding.message));
        let before = if shown == 0 { "\n### Fixed\n\n" } else { "" };
        if text.len() + before.len() + line.len() > BYTES - TAIL_BYTES / 2 {
            break;
        }
        text.push_str(before);
        text.push_str(&line);
        shown += 1;
    }
    let more = fixed.count() - shown;
    if more > 0 {
        let are = if more == 1 { "is" } else { "are" };
        text.push_str(&format!("\n{} {are} not shown.\n", summary::count(more, "more fixed finding")));
    }
}
