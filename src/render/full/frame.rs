//! One frame: the fact, the lines it is about, why it matters, and the edit.

use std::collections::HashSet;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level as Title, Origin, Patch, Renderer, Snippet};

use crate::excerpt::{Excerpt, Excerpts};
use crate::lint::Report;
use crate::profile::Profiles;
use crate::render::window::Window;
use crate::render::{Look, edits, escape, rule_url, summary};
use crate::rule::{Edit, Finding, Level};
use crate::text::Place;

/// Related places that a frame shows.
const RELATED: usize = 8;
/// Notes that a frame shows.
const NOTES: usize = 8;
/// Bytes of an edit's text that a frame shows as a patch.
const PATCH_BYTES: usize = 200;
/// Ends a path that says its line and column itself. annotate-snippets counts the column in the text it is given, and
/// that is cropped and escaped; what it appends behind the mark is removed. No escaped text holds a private character.
const COLUMN_MARK: char = '\u{f8ff}';

/// Related places and what stands there.
type Labels<'a> = Vec<(Place, &'a str)>;

/// The notes that were written, by rule: a second finding of a rule does not repeat them.
pub(super) type Told<'a> = HashSet<(&'static str, &'a str)>;

/// What frames are made from.
pub(super) struct Frames<'a> {
    pub(super) report: &'a Report,
    pub(super) excerpts: &'a Excerpts,
    pub(super) look: Look,
    pub(super) renderer: Renderer,
}

impl<'a> Frames<'a> {
    /// The frame of a finding, with the empty line behind it. Notes that were told before are left out.
    pub(super) fn render(&self, finding: &'a Finding, told: &mut Told<'a>) -> String {
        let title = title(finding.level)
            .primary_title(escape::text(&finding.message))
            .id(finding.rule.id)
            .id_url(rule_url(finding.rule));
        let (primary, elsewhere) = self.split(finding);
        let mut main = Group::with_title(title).element(self.frame(finding.place, &primary));
        for &(place, label) in elsewhere.iter().take(RELATED) {
            main = main.element(self.related(place, label));
        }
        if let Some(words) = more_places(elsewhere.len().saturating_sub(RELATED)) {
            main = main.element(Title::NOTE.message(words));
        }
        // Where a profile says who loses the skill by this, it is not said a second time from memory.
        let why = (finding.losses.is_empty() || !names_a_runtime(finding.rule.why)).then_some(finding.rule.why);
        for note in finding.notes.iter().take(NOTES).map(String::as_str).chain(why) {
            if told.insert((finding.rule.id, note)) {
                main = main.element(Title::NOTE.message(escape::text(note)));
            }
        }
        let help = finding.help.as_deref().map(escape::text);
        let mut groups = Vec::with_capacity(2);
        match (self.patch(finding), help) {
            (Some(patch), help) => {
                groups.push(main);
                let title = Title::HELP.secondary_title(help.unwrap_or_else(|| "write".into()));
                groups.push(title.element(patch));
            }
            (None, Some(help)) => groups.push(main.element(Title::HELP.message(help))),
            (None, None) => groups.push(main),
        }
        let mut text = strip_columns(&self.renderer.render(&groups));
        text.push_str("\n\n");
        // The parts are harmless, and so must be what they make together.
        escape::commands(&text).into_owned()
    }

    /// The related places in the lines around the finding, and those elsewhere.
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

    /// The place of a finding with its lines, and the related places among them.
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

    /// A place elsewhere: with its lines where there are any to show.
    fn related(&self, place: Place, label: &str) -> Element<'static> {
        if place.is_whole() || self.excerpts.get(place).lines.is_empty() {
            return Title::NOTE.message(format!("{}: {}", self.path(place), escape::text(label))).into();
        }
        self.snippet(place, std::iter::once((place, AnnotationKind::Context, label)))
    }

    fn path(&self, place: Place) -> String {
        escape::path(self.report.catalog.file(place.file).path.as_ref())
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

    /// The bytes of a place to underline among the lines of an excerpt: without the end of its last line, and its
    /// first line alone where not all lines are there.
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

    /// The edit as a patch, when there is one, it is small, and its lines can be shown in full.
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
        if window.is_cut || only_takes_blanks(&window.source[span.clone()], &text) {
            return None;
        }
        let patch = Patch::new(span, text);
        Some(Snippet::source(window.source).line_start(window.first_line).patch(patch).into())
    }
}

fn title(level: Level) -> Title<'static> {
    match level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note | Level::Off => Title::NOTE,
    }
}

/// Whether an edit takes out nothing that could be seen in a patch: white space, or what no editor shows.
fn only_takes_blanks(before: &str, after: &str) -> bool {
    let prefix: usize = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (before, after) = (&before[prefix..], &after[prefix..]);
    before.strip_suffix(after).is_some_and(|taken| taken.trim().is_empty())
}

fn names_a_runtime(text: &str) -> bool {
    let profiles = Profiles::default();
    profiles.ids().filter_map(|id| profiles.find(id)).any(|profile| text.contains(&*profile.title))
}

fn more_places(number: usize) -> Option<String> {
    (number > 0).then(|| format!("and in {}", summary::count(number, "more place")))
}

/// Removes the columns that were counted in the text of a frame: see [`COLUMN_MARK`].
fn strip_columns(text: &str) -> String {
    let mut pieces = text.split(COLUMN_MARK);
    let mut stripped = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        stripped.push_str(piece.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    stripped
}
