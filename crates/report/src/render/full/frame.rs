//! Frame of a finding: the fact, its lines, its notes, and its edit.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level as Title, Origin, Patch, Renderer, Snippet};

use crate::render::window::Window;
use crate::render::{Look, edits, escape, rule_url, summary, wrap};
use skilltree_front_matter::text::Place;
use skilltree_lint::excerpt::{Excerpt, Excerpts};
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Edit, Finding, Severity, describe_losses};

/// Maximum number of related places in a frame.
const RELATED: usize = 8;
/// Maximum number of notes in a frame.
const NOTES: usize = 8;
/// Maximum number of bytes of an edit that a frame shows as a patch.
const PATCH_BYTES: usize = 200;
/// Marks the end of a path with line and column. annotate-snippets computes the column in the cropped and escaped text,
/// so its suffix after the mark is removed. Escaped text contains no private-use character.
const COLUMN_MARK: char = '\u{f8ff}';

/// Related places and their labels.
type Labels<'a> = Vec<(Place, &'a str)>;

/// A note of a rule.
type Note<'a> = (&'a str, &'a str);

/// Notes already shown, by rule. They are not repeated for later findings of the rule, but counted.
pub(super) struct ShownNotes<'a> {
    /// The number of findings with each note of their own.
    counts: HashMap<Note<'a>, usize>,
    shown: HashSet<Note<'a>>,
}

impl<'a> ShownNotes<'a> {
    pub(super) fn new(findings: &[&'a Finding]) -> Self {
        let mut counts = HashMap::new();
        for finding in findings {
            for note in finding.notes.iter().take(NOTES) {
                *counts.entry((finding.rule.id(), note.as_str())).or_default() += 1;
            }
        }
        Self { counts, shown: HashSet::new() }
    }

    /// Returns the text of a note with the number of other findings that it applies to; `None` if it was shown.
    fn take(&mut self, note: Note<'a>) -> Option<String> {
        if !self.shown.insert(note) {
            return None;
        }
        let others = self.counts.get(&note).map_or(0, |count| count - 1);
        let text = escape::text(note.1);
        Some(match others {
            0 => text,
            others => format!("{text} (the same for {})", summary::count(others, "other finding")),
        })
    }
}

/// Inputs of the frames.
pub(super) struct Frames<'a> {
    pub(super) report: &'a Report,
    pub(super) excerpts: &'a Excerpts,
    pub(super) look: Look,
    /// Whether to show the evidence for what is said about runtimes.
    pub(super) evidence: bool,
    pub(super) renderer: Renderer,
}

impl<'a> Frames<'a> {
    /// Renders the frame of a finding, with a trailing empty line and without notes that were already shown.
    pub(super) fn render(&self, finding: &'a Finding, shown_notes: &mut ShownNotes<'a>) -> String {
        let title = title(finding.severity)
            .primary_title(escape::text(&finding.message))
            .id(finding.rule.id())
            .id_url(rule_url(&finding.rule));
        let (primary, elsewhere) = self.split(finding);
        let mut main = Group::with_title(title).element(self.frame(finding.place, &primary));
        for &(place, label) in elsewhere.iter().take(RELATED) {
            main = main.element(self.related(place, label));
        }
        if let Some(words) = more_places(elsewhere.len().saturating_sub(RELATED)) {
            main = main.element(Title::NOTE.message(words));
        }
        let width = self.note_width(finding);
        let losses = describe_losses(&finding.losses);
        let notes = finding.notes.iter().filter(|_| self.evidence);
        let facts = finding.facts().filter(|_| !self.evidence);
        for note in notes.chain(facts).take(NOTES).map(String::as_str).chain([finding.rule.why]) {
            // Each finding says itself which runtimes lose the skill.
            let text = match Some(note) == losses.as_deref() {
                true => Some(escape::text(note)),
                false => shown_notes.take((finding.rule.id(), note)),
            };
            if let Some(text) = text {
                let lines = wrap::lines(&text, width, width);
                main = main.element(Title::NOTE.message(lines.join("\n")));
            }
        }
        let help = finding.help.as_deref().map(escape::text);
        let mut groups = Vec::with_capacity(2);
        match (self.patch(finding), help) {
            (Some(patch), help) => {
                groups.push(main);
                let title = Title::HELP.secondary_title(help.unwrap_or_else(|| "apply this edit".into()));
                groups.push(title.element(patch));
            }
            (None, Some(help)) => {
                let lines = wrap::lines(&help, width, width);
                groups.push(main.element(Title::HELP.message(lines.join("\n"))));
            }
            (None, None) => groups.push(main),
        }
        let mut text = strip_columns(&self.renderer.render(&groups));
        text.push_str("\n\n");
        // The parts are escaped, but together they could form a workflow command.
        escape::commands(&text).into_owned()
    }

    /// Returns the width of a note, after the line numbers and `= note: `.
    fn note_width(&self, finding: &Finding) -> usize {
        let places = finding.related.iter().map(|(place, _)| *place).chain(finding.edits.iter().map(|edit| edit.place));
        let last = |place: Place| self.excerpts.get(place).lines.last().map_or(1, |line| line.number);
        let number = places.chain([finding.place]).map(last).max().unwrap_or(1);
        self.look.width.saturating_sub(number.to_string().len() + " = note: ".len())
    }

    /// Splits the related places into those within the lines of the finding and the others.
    fn split(&self, finding: &'a Finding) -> (Labels<'a>, Labels<'a>) {
        let excerpt = self.excerpts.get(finding.place);
        let shown = |place: &Place| {
            let inside = excerpt.lines.iter().any(|line| (line.start..=line.end()).contains(&place.start));
            place.file == finding.place.file && !finding.place.is_whole() && !place.is_whole() && inside
        };
        let related = finding.related.iter().map(|(place, label)| (*place, label.as_str()));
        let (mut near, elsewhere): (Vec<_>, Vec<_>) = related.partition(|(place, _)| shown(place));
        near.truncate(RELATED);
        (near, elsewhere)
    }

    /// Renders the lines of a place, with related places among them.
    fn frame(&self, place: Place, near: &[(Place, &str)]) -> Element<'static> {
        let excerpt = self.excerpts.get(place);
        let path = self.path(place);
        if place.is_whole() {
            return Origin::path(path).into();
        }
        if excerpt.lines.is_empty() {
            let (line, column) = (excerpt.start.line as usize, excerpt.start.column as usize);
            return Origin::path(path).line(line).char_column(column).into();
        }
        let near = near.iter().map(|&(place, label)| (place, AnnotationKind::Context, label));
        self.snippet(place, std::iter::once((place, AnnotationKind::Primary, "")).chain(near))
    }

    /// Renders a related place elsewhere, with its lines if there are any.
    fn related(&self, place: Place, label: &str) -> Element<'static> {
        if place.is_whole() || self.excerpts.get(place).lines.is_empty() {
            return Title::NOTE.message(format!("{}: {}", self.path(place), escape::text(label))).into();
        }
        self.snippet(place, std::iter::once((place, AnnotationKind::Context, label)))
    }

    fn path(&self, place: Place) -> String {
        escape::path(self.report.catalog.file(place.file).reported_path().as_ref())
    }

    fn snippet<'l>(
        &self,
        place: Place,
        marks: impl Iterator<Item = (Place, AnnotationKind, &'l str)>,
    ) -> Element<'static> {
        let excerpt = self.excerpts.get(place);
        let (path, start) = (self.path(place), excerpt.start);
        let marks: Vec<_> = marks.collect();
        let ranges: Vec<_> = marks.iter().map(|(place, ..)| self.underlined(*place, excerpt)).collect();
        let window = self.window(excerpt, &ranges);
        let annotations = marks.iter().zip(window.spans).map(|((_, kind, label), span)| -> Annotation<'static> {
            let label = (!label.is_empty()).then(|| escape::text(label));
            kind.span(span).label(label)
        });
        Snippet::source(window.source)
            .line_start(window.first_line)
            .path(format!("{path}:{}:{}{COLUMN_MARK}", start.line, start.column))
            .annotations(annotations)
            .into()
    }

    /// Returns the bytes to underline: without the last line ending, and only the first line if not all lines are kept.
    fn underlined(&self, place: Place, excerpt: &Excerpt) -> Range<u32> {
        let (start, end) = (place.start, place.end);
        let own = self.excerpts.get(place);
        if excerpt.lines.last().is_none_or(|line| line.end() < end) {
            return start..own.first_end.byte.max(start);
        }
        let last = excerpt.lines.iter().rev().find(|line| line.start < end);
        start..last.map_or(end, |line| line.end().min(end)).max(start)
    }

    fn window(&self, excerpt: &Excerpt, ranges: &[Range<u32>]) -> Window {
        let last_line = excerpt.lines.last().map_or(1, |line| line.number);
        let gutter = last_line.to_string().len() + 6;
        let ellipsis = if self.look.unicode { "…" } else { "..." };
        Window::new(excerpt, ranges, self.look.width.saturating_sub(gutter), ellipsis)
    }

    /// Renders the edit as a patch if it is small and its lines are complete.
    fn patch(&self, finding: &Finding) -> Option<Element<'static>> {
        let [Edit { place, text, .. }] = edits(finding) else { return None };
        let excerpt = self.excerpts.get(*place);
        let is_small = text.len() <= PATCH_BYTES && excerpt.end.line - excerpt.start.line < 3;
        if !is_small || excerpt.lines.is_empty() {
            return None;
        }
        let range = place.start..place.end;
        let window = self.window(excerpt, std::slice::from_ref(&range));
        let span = window.spans.first()?.clone();
        let lines: Vec<String> = text.split('\n').map(escape::text).collect();
        let text = lines.join("\n");
        if window.is_cut || deletes_only_invisible_text(&window.source[span.clone()], &text) {
            return None;
        }
        let patch = Patch::new(span, text);
        Some(Snippet::source(window.source).line_start(window.first_line).patch(patch).into())
    }
}

fn title(level: Severity) -> Title<'static> {
    match level {
        Severity::Error => Title::ERROR,
        Severity::Warning => Title::WARNING,
        Severity::Note => Title::NOTE,
    }
}

/// Returns whether an edit only deletes text that is invisible in a patch: whitespace or hidden characters.
fn deletes_only_invisible_text(before: &str, after: &str) -> bool {
    let prefix: usize = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (before, after) = (&before[prefix..], &after[prefix..]);
    before.strip_suffix(after).is_some_and(|taken| taken.trim().is_empty())
}

fn more_places(number: usize) -> Option<String> {
    (number > 0).then(|| format!("and {}", summary::count(number, "more place")))
}

/// Removes the columns added by annotate-snippets: see [`COLUMN_MARK`].
fn strip_columns(text: &str) -> String {
    let mut pieces = text.split(COLUMN_MARK);
    let mut stripped = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        stripped.push_str(piece.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    stripped
}
