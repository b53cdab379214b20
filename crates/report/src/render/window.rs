//! Lines around a place for display: escaped, redacted and cropped, with adjusted spans. Text and spans come from the
//! same pass, so every span is within the source and on character boundaries, as annotate-snippets requires.

use std::ops::Range;

use bstr::ByteSlice;
use unicode_width::UnicodeWidthChar;

use super::{escape, redact};
use skilltree_front_matter::text;
use skilltree_lint::excerpt::{Excerpt, Line};
use skilltree_skills::characters;
use skilltree_skills::json::command_marks;

/// Width of a tab in annotate-snippets.
const TAB: &str = "    ";

/// Lines for a frame.
pub(super) struct Window {
    /// Lines, joined by LF.
    pub(super) source: String,
    /// Number of the first line.
    pub(super) first_line: usize,
    /// Spans of the places in the source.
    pub(super) spans: Vec<Range<usize>>,
    /// Whether any line is cropped.
    pub(super) is_cut: bool,
}

impl Window {
    /// Prepares the lines of an excerpt with some byte ranges of the file. A line of more than `width` columns is
    /// cropped around the first range that touches it, with `ellipsis` in place of the missing text.
    pub(super) fn new(excerpt: &Excerpt, ranges: &[Range<u32>], width: usize, ellipsis: &str) -> Self {
        let mut window = Self {
            source: String::new(),
            first_line: excerpt.lines.first().map_or(1, |line| line.number as usize),
            spans: ranges.iter().map(|_| 0..0).collect(),
            is_cut: false,
        };
        for (number, line) in excerpt.lines.iter().enumerate() {
            if number > 0 {
                window.source.push('\n');
            }
            let mut clean = CleanLine::new(line, ranges);
            let touched = ranges.iter().find(|range| range.start <= line.end() && range.end >= line.start);
            let focus = touched.map_or(0, |range| clean.offset(range.start.max(line.start), line));
            window.is_cut |= clean.crop(line, focus, width, ellipsis);
            let base = window.source.len();
            for (span, range) in window.spans.iter_mut().zip(ranges) {
                if range.start >= line.start {
                    span.start = base + clean.offset(range.start, line);
                }
                if range.end >= line.start {
                    span.end = base + clean.offset(range.end, line);
                }
            }
            window.source.push_str(&clean.text);
        }
        for span in &mut window.spans {
            span.end = span.end.max(span.start);
        }
        window
    }
}

/// A line for display, with a mapping of offsets.
struct CleanLine {
    text: String,
    /// Offsets in the original line and in the displayed one, sorted.
    stops: Vec<(usize, usize)>,
}

impl CleanLine {
    fn new(line: &Line, ranges: &[Range<u32>]) -> Self {
        let bytes = line.text.as_bytes();
        let replaced = replacements(bytes);
        let mut cuts: Vec<usize> = ranges
            .iter()
            .flat_map(|range| [range.start, range.end])
            .filter(|offset| (line.start..=line.end()).contains(offset))
            .map(|offset| outside(&replaced, floor(bytes, (offset - line.start) as usize)))
            .chain(replaced.iter().flat_map(|(range, _)| [range.start, range.end]))
            .chain([0, bytes.len()])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut clean = Self { text: String::with_capacity(bytes.len()), stops: vec![(0, 0)] };
        for cut in cuts.windows(2) {
            match replaced.iter().find(|(range, _)| range.start == cut[0] && !range.is_empty()) {
                Some((_, replacement)) => clean.text.push_str(replacement),
                None => clean.push(&bytes[cut[0]..cut[1]]),
            }
            clean.stops.push((cut[1], clean.text.len()));
        }
        clean
    }

    fn push(&mut self, bytes: &[u8]) {
        for (number, piece) in bytes.split_str(b"\t").enumerate() {
            if number > 0 {
                self.text.push_str(TAB);
            }
            self.text.push_str(&characters::visible(&text::lossless(piece.as_bstr())));
        }
    }

    /// Maps an offset of the file to the displayed line. Offsets after the line map to its end.
    fn offset(&self, offset: u32, line: &Line) -> usize {
        let wanted = (offset.min(line.end()) - line.start) as usize;
        let next = self.stops.partition_point(|&(before, _)| before <= wanted);
        self.stops[next - 1].1
    }

    /// Crops the text to the width around an offset. Returns whether any text of the line is missing.
    fn crop(&mut self, line: &Line, focus: usize, width: usize, ellipsis: &str) -> bool {
        let kept = kept(&self.text, focus, width.max(20));
        let (before, after) = (kept.start > 0 || line.cut_before, kept.end < self.text.len() || line.cut_after);
        let prefix = if before { ellipsis } else { "" };
        for (_, shown) in &mut self.stops {
            *shown = prefix.len() + (*shown).clamp(kept.start, kept.end) - kept.start;
        }
        self.text = format!("{prefix}{}{}", &self.text[kept], if after { ellipsis } else { "" });
        before || after
    }
}

/// Returns the part of a text that fits the width: all of it, or a window with a third of the width before the focus.
fn kept(text: &str, focus: usize, width: usize) -> Range<usize> {
    let columns = |c: char| c.width().unwrap_or(0);
    if text.len() <= width || text.chars().map(columns).sum::<usize>() <= width {
        return 0..text.len();
    }
    let mut left = width / 3;
    let mut start = focus;
    for (at, character) in text[..focus].char_indices().rev() {
        let Some(rest) = left.checked_sub(columns(character)) else { break };
        (left, start) = (rest, at);
    }
    let mut left = width;
    let mut end = start;
    for character in text[start..].chars() {
        let Some(rest) = left.checked_sub(columns(character)) else { break };
        left = rest;
        end += character.len_utf8();
    }
    start..end
}

/// Returns the replacements in a line: secrets, and the marks of workflow commands outside them.
fn replacements(line: &[u8]) -> Vec<(Range<usize>, &'static str)> {
    let mut replaced: Vec<_> = redact::secrets(line).into_iter().map(|range| (range, redact::REDACTED)).collect();
    let marks: Vec<_> = command_marks(line)
        .filter(|at| !replaced.iter().any(|(range, _)| range.contains(at)))
        .map(|at| (at..at + 1, escape::MARK))
        .collect();
    replaced.extend(marks);
    replaced.sort_by_key(|(range, _)| range.start);
    replaced
}

/// Moves an offset inside a replaced range to the start of the range.
fn outside(replaced: &[(Range<usize>, &str)], offset: usize) -> usize {
    replaced
        .iter()
        .find(|(range, _)| range.start < offset && offset < range.end)
        .map_or(offset, |(range, _)| range.start)
}

/// Returns the start of the character that contains an offset.
fn floor(text: &[u8], offset: usize) -> usize {
    let mut start = 0;
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid();
        if offset <= start + valid.len() {
            let mut within = offset - start;
            while !valid.is_char_boundary(within) {
                within -= 1;
            }
            return start + within;
        }
        start += valid.len() + chunk.invalid().len();
        if offset < start {
            return offset;
        }
    }
    offset.min(text.len())
}
