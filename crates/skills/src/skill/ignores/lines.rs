//! An index of the lines of a file: queries cost the same at any position and line length.

use std::ops::Range;

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines(Vec<Line>);

/// A line by its offsets.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: usize,
    /// The first byte that is not whitespace, and the byte after the last; both at the end of a blank line.
    text: (usize, usize),
    /// The byte after its last, without its line ending.
    end: usize,
    /// The first byte of the next line.
    next: usize,
}

impl Lines {
    /// Splits a text into lines. A line ends with LF, with CRLF, or with CR alone.
    pub(super) fn new(text: &str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let end = start + length;
            let line_ending = match rest.as_bytes()[length..] {
                [b'\r', b'\n', ..] => 2,
                [_, ..] => 1,
                [] => 0,
            };
            let content = &rest[..length];
            let trimmed = content.trim_start_matches([' ', '\t']);
            let first = end - trimmed.len();
            let text = (first, first + trimmed.trim_end_matches([' ', '\t']).len());
            lines.push(Line { start, text, end, next: end + line_ending });
            start = end + line_ending;
        }
        Self(lines)
    }

    fn at(&self, offset: usize) -> Line {
        let number = self.0.partition_point(|line| line.start <= offset).saturating_sub(1);
        self.0.get(number).copied().unwrap_or(Line { start: 0, text: (0, 0), end: 0, next: 0 })
    }

    /// Returns whether only whitespace precedes a range on its first line.
    pub(super) fn begins(&self, range: &Range<usize>) -> bool {
        self.at(range.start).text.0 >= range.start
    }

    /// Returns whether only whitespace surrounds a range on its lines.
    pub(super) fn is_alone(&self, range: &Range<usize>) -> bool {
        self.begins(range) && self.at(range.end.max(range.start + 1) - 1).text.1 <= range.end
    }

    /// Returns the lines of a range, without the last line ending.
    pub(super) fn around(&self, range: &Range<usize>) -> Range<usize> {
        self.at(range.start).start..self.at(range.end.max(range.start + 1) - 1).end
    }

    /// Returns the range to remove with a comment: its lines if it is alone on them, otherwise the comment and the
    /// whitespace before it.
    pub(super) fn removal(&self, text: &str, comment: &Range<usize>) -> Range<usize> {
        if self.is_alone(comment) {
            return self.at(comment.start).start..self.at(comment.end.max(comment.start + 1) - 1).next;
        }
        let line = self.at(comment.start).start;
        let before = text.get(line..comment.start).unwrap_or_default();
        // At the start of a line no space has to separate it from what follows.
        if self.begins(comment) {
            let after = text.get(comment.end..).unwrap_or_default();
            return comment.start..text.len() - after.trim_start_matches([' ', '\t']).len();
        }
        line + before.trim_end_matches([' ', '\t']).len()..comment.end
    }
}
