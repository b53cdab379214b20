//! The lines around a place as a frame shows them: escaped, redacted, cropped to the width, and the places moved
//! along. A span that annotate-snippets gets is always inside its source and on the bounds of characters, because
//! spans come out of the same pass that writes the text.

use std::ops::Range;

use bstr::ByteSlice;
use unicode_width::UnicodeWidthChar;

use super::{escape, redact};
use crate::characters;
use crate::excerpt::{Excerpt, Line};
use crate::text;

/// Columns of a tab, as annotate-snippets draws it.
const TAB: &str = "    ";

/// Lines ready to be framed.
pub(super) struct Window {
    /// The lines, joined by LF.
    pub(super) source: String,
    /// The number of the first line.
    pub(super) first_line: usize,
    /// Where each of the places asked for stands in the source.
    pub(super) spans: Vec<Range<usize>>,
    /// Whether some line is not there in full.
    pub(super) is_cut: bool,
}

impl Window {
    /// The lines of an excerpt, with some ranges of the file's bytes in them. A line too long for `width` columns is
    /// cropped around the first range that touches it, with `ellipsis` for what is left out.
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

/// A line as it is shown, and where the offsets that matter went.
struct CleanLine {
    text: String,
    /// Offsets in the line as it was, and as it is shown; sorted.
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

    /// Where an offset of the file stands in the text; what lies beyond the line is at its end.
    fn offset(&self, offset: u32, line: &Line) -> usize {
        let wanted = (offset.min(line.end()) - line.start) as usize;
        let next = self.stops.partition_point(|&(before, _)| before <= wanted);
        self.stops[next - 1].1
    }

    /// Crops the text to the width around an offset in it, and says whether anything of the line is missing.
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

/// The part of a text to keep so that it fits the width: all of it, or a window with a third before the focus.
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

/// What is shown as something else: secrets, and the marks of workflow commands outside them.
fn replacements(line: &[u8]) -> Vec<(Range<usize>, &'static str)> {
    let mut replaced: Vec<_> = redact::secrets(line).into_iter().map(|range| (range, redact::REDACTED)).collect();
    let marks: Vec<_> = escape::command_marks(line)
        .filter(|at| !replaced.iter().any(|(range, _)| range.contains(at)))
        .map(|at| (at..at + 1, escape::MARK))
        .collect();
    replaced.extend(marks);
    replaced.sort_by_key(|(range, _)| range.start);
    replaced
}

/// An offset that is not inside anything replaced: one inside a secret moves to its start.
fn outside(replaced: &[(Range<usize>, &str)], offset: usize) -> usize {
    replaced
        .iter()
        .find(|(range, _)| range.start < offset && offset < range.end)
        .map_or(offset, |(range, _)| range.start)
}

/// The start of the character that holds an offset.
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
