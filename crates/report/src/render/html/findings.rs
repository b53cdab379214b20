//! Findings of the page: each in its source, with its edits as a patch.

use std::ops::Range;

use serde::Serialize;

use crate::render::window::Window;
use crate::render::{Budget, Omitted, Options, edits, escape, rule_url};
use skilltree_front_matter::text::Place;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Edit, Finding, describe_losses};

/// Maximum number of bytes of text of the findings.
const BYTES: usize = 6 << 20;
/// Width of the shown lines in columns.
const WIDTH: usize = 160;
/// Maximum number of related places, notes and edits of a finding, each.
const PARTS: usize = 8;

/// Findings, and the number of those that are not shown.
#[derive(Default, Serialize)]
pub(super) struct Findings {
    shown: Vec<Entry>,
    omitted: Option<String>,
}

#[derive(Serialize)]
struct Entry {
    severity: &'static str,
    rule: String,
    url: String,
    message: String,
    losses: Option<String>,
    frame: Frame,
    related: Vec<Frame>,
    notes: Vec<String>,
    help: Option<String>,
    patches: Vec<Patch>,
}

/// Lines of a place.
#[derive(Serialize)]
struct Frame {
    path: String,
    line: u32,
    column: u32,
    label: String,
    lines: Vec<Line>,
}

/// A line, and the part of it that is marked.
#[derive(Serialize)]
struct Line {
    number: usize,
    before: String,
    marked: String,
    after: String,
}

/// Lines before and after an edit.
#[derive(Serialize)]
struct Patch {
    path: String,
    is_safe: bool,
    removed: Vec<String>,
    added: Vec<String>,
}

/// Prepares the active findings, the most severe first.
pub(super) fn new(report: &Report, excerpts: &Excerpts, options: &Options) -> Findings {
    let mut budget = Budget::new(options.shown_findings, BYTES);
    let mut omitted = Omitted::default();
    let mut shown = Vec::new();
    for finding in report.active() {
        if !budget.has_room(finding) {
            omitted.add(finding);
            continue;
        }
        let entry = entry(report, excerpts, finding);
        if budget.take(finding, entry.bytes()) {
            shown.push(entry);
        } else {
            omitted.add(finding);
        }
    }
    Findings { shown, omitted: omitted.words() }
}

fn entry(report: &Report, excerpts: &Excerpts, finding: &Finding) -> Entry {
    let related = finding.related.iter().take(PARTS);
    let more = finding.related.len().saturating_sub(PARTS);
    let more = (more > 0).then(|| format!("and {}", crate::render::count(more, "more place")));
    let losses = describe_losses(&finding.losses);
    let notes = finding.notes.iter().filter(|note| Some(*note) != losses.as_ref());
    let notes = notes.take(PARTS).map(|note| escape::text(note));
    Entry {
        severity: finding.severity.name(),
        rule: finding.rule.id().to_owned(),
        url: rule_url(&finding.rule),
        message: escape::text(&finding.message),
        losses: losses.as_deref().map(escape::text),
        frame: frame(report, excerpts, finding.place, ""),
        related: related.map(|(place, label)| frame(report, excerpts, *place, label)).collect(),
        notes: notes.chain(more).chain([escape::text(finding.rule.why)]).collect(),
        help: finding.help.as_deref().map(escape::text),
        patches: edits(finding).iter().take(PARTS).filter_map(|edit| patch(report, excerpts, edit)).collect(),
    }
}

impl Entry {
    /// Returns the approximate size in the page.
    fn bytes(&self) -> usize {
        let frames = std::iter::once(&self.frame).chain(&self.related);
        let frames: usize =
            frames.map(|frame| 300 + frame.lines.iter().map(|line| 60 + line.len()).sum::<usize>()).sum();
        let texts = self.notes.iter().chain(&self.help).chain(&self.losses).map(|text| 20 + text.len()).sum::<usize>();
        let lines = self.patches.iter().flat_map(|patch| patch.removed.iter().chain(&patch.added));
        400 + self.message.len() + frames + texts + lines.map(|line| 40 + line.len()).sum::<usize>()
    }
}

impl Line {
    fn len(&self) -> usize {
        self.before.len() + self.marked.len() + self.after.len()
    }
}

fn frame(report: &Report, excerpts: &Excerpts, place: Place, label: &str) -> Frame {
    let excerpt = excerpts.get(place);
    let range = place.start..excerpt.first_end.byte.max(place.start).max(place.end);
    let window = Window::new(excerpt, std::slice::from_ref(&range), WIDTH, "…");
    let lines = if place.is_whole() { Vec::new() } else { lines(&window) };
    Frame {
        path: path(report, place),
        line: excerpt.start.line,
        column: excerpt.start.column,
        label: escape::text(label),
        lines,
    }
}

fn path(report: &Report, place: Place) -> String {
    escape::path(report.catalog.file(place.file).reported_path().as_ref())
}

/// Splits the lines of a window at its span.
fn lines(window: &Window) -> Vec<Line> {
    let span = window.spans.first().cloned().unwrap_or_default();
    let mut start = 0;
    let mut lines = Vec::new();
    for (number, text) in (window.first_line..).zip(window.source.split('\n')) {
        let marked = clamp(&span, start, text.len());
        let marked = if marked.is_empty() { text.len()..text.len() } else { marked };
        let [before, marked, after] =
            [0..marked.start, marked.clone(), marked.end..text.len()].map(|part| commands(&text[part]));
        lines.push(Line { number, before, marked, after });
        start += text.len() + 1;
    }
    if window.source.is_empty() { Vec::new() } else { lines }
}

/// Breaks up workflow commands that the parts of a line form together.
fn commands(text: &str) -> String {
    escape::commands(text).into_owned()
}

/// Returns the part of a span in the line that begins at `start`.
fn clamp(span: &Range<usize>, start: usize, length: usize) -> Range<usize> {
    let at = |offset: usize| offset.saturating_sub(start).min(length);
    at(span.start)..at(span.end)
}

/// Returns the lines that an edit changes; `None` if they are incomplete or look the same afterwards.
fn patch(report: &Report, excerpts: &Excerpts, edit: &Edit) -> Option<Patch> {
    let excerpt = excerpts.get(edit.place);
    let range = edit.place.start..edit.place.end;
    let window = Window::new(excerpt, std::slice::from_ref(&range), WIDTH * 8, "…");
    let span = window.spans.first()?.clone();
    let is_complete = excerpt.lines.last().is_some_and(|line| edit.place.end <= line.end());
    if window.is_cut || !is_complete || window.source.is_empty() {
        return None;
    }
    let source = window.source.as_str();
    let start = source[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[span.end..].find('\n').map_or(source.len(), |at| span.end + at);
    let text: Vec<String> = edit.text.split('\n').map(escape::text).collect();
    let after = format!("{}{}{}", &source[start..span.start], text.join("\n"), &source[span.end..end]);
    let split = |text: &str| text.split('\n').map(commands).collect::<Vec<_>>();
    let (removed, mut added) = (split(&source[start..end]), split(&after));
    if removed == added {
        return None;
    }
    if after.is_empty() {
        added.clear();
    }
    Some(Patch { path: path(report, edit.place), is_safe: edit.safe, removed, added })
}
