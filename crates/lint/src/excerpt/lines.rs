//! Lines of a text, and positions of offsets in them.
//!
//! LF, CRLF and a lone CR end a line, as in editors and in the line hash of review tools. A byte order mark (BOM) has
//! no column, as in editors and SARIF. A tab is one column. Invalid UTF-8 counts as the replacement characters that are
//! displayed.

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};

use skilltree_front_matter::text::Place;

/// Maximum number of lines kept for a place.
const PLACE_LINES: u32 = 6;
/// Maximum number of bytes kept of a line. A longer line is reduced to a window around the place.
const LINE_BYTES: usize = 2_048;
/// Bytes that a window keeps before the place.
const BEFORE_BYTES: usize = 512;
/// Maximum number of bytes that a window extends back to the start of a word, so that it never shows only the end of a
/// secret.
const WORD_BYTES: usize = 256;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
    /// Column in UTF-16 code units, from 1.
    pub utf16: u32,
    /// Column in bytes, from 1. Unlike in the other units, a byte order mark counts.
    pub utf8: u32,
    /// Offset in bytes, from 0, including a byte order mark.
    pub byte: u32,
}

impl Default for Position {
    fn default() -> Self {
        Self { line: 1, column: 1, utf16: 1, utf8: 1, byte: 0 }
    }
}

/// A line of a file, or a window of a long line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Line number, from 1.
    pub number: u32,
    /// Offset of the first byte kept.
    pub start: u32,
    /// Bytes without the line ending.
    pub text: BString,
    /// Whether text before the window is missing.
    pub cut_before: bool,
    /// Whether text after the window is missing.
    pub cut_after: bool,
}

impl Line {
    /// Returns the offset after the last byte kept.
    pub fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }

    /// Returns whether the line is complete.
    pub fn is_whole(&self) -> bool {
        !self.cut_before && !self.cut_after
    }
}

/// Lines of a text, up to the one after the last offset needed.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    /// First byte of each line, and the end of its content.
    spans: Vec<(u32, u32)>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t [u8], last: u32) -> Self {
        let text = &text[..text.len().min(u32::MAX as usize)];
        let mut spans = Vec::new();
        let mut start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        loop {
            let end = text[start..].find_byteset(b"\r\n").map_or(text.len(), |found| start + found);
            spans.push((start as u32, end as u32));
            if end == text.len() || start > last as usize {
                break;
            }
            start = if text[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        }
        Self { text, spans }
    }

    /// Returns the number of the line that contains an offset, from 1. Offsets after the end are on the last line.
    pub(super) fn number(&self, offset: u32) -> u32 {
        (self.spans.partition_point(|&(start, _)| start <= offset) as u32).max(1)
    }

    /// Returns the text of a line without its line ending.
    pub(super) fn text(&self, number: u32) -> &'t [u8] {
        let (start, end) = self.span(number);
        &self.text[start as usize..end as usize]
    }

    fn span(&self, number: u32) -> (u32, u32) {
        self.spans[(number as usize - 1).min(self.spans.len() - 1)]
    }

    /// Returns the positions of some offsets, in one pass over each line.
    pub(super) fn positions(&self, offsets: impl Iterator<Item = u32>) -> Positions {
        let mut known: BTreeMap<u32, Position> = offsets.map(|offset| (offset, Position::default())).collect();
        let mut last = Position { line: 0, ..Position::default() };
        for (&offset, position) in &mut known {
            let number = self.number(offset);
            let (start, end) = self.span(number);
            if number != last.line {
                last = Position { line: number, byte: start, ..Position::default() };
            }
            last = self.advance(last, offset.clamp(start, end));
            let byte = offset.min(self.text.len() as u32);
            *position = Position { byte, utf8: self.utf8(number, byte.min(end)), ..last };
        }
        Positions(known)
    }

    /// Returns the end of a line, given a position on it.
    pub(super) fn end(&self, number: u32, from: Position) -> Position {
        let (start, end) = self.span(number);
        let to = self.advance(Position { byte: from.byte.clamp(start, end), ..from }, end);
        Position { utf8: self.utf8(number, end), ..to }
    }

    /// Returns the column of an offset in bytes. The first line begins with the byte order mark.
    fn utf8(&self, number: u32, offset: u32) -> u32 {
        let start = if number == 1 { 0 } else { self.span(number).0 };
        offset.saturating_sub(start) + 1
    }

    /// Advances a position to an offset on the same line. An offset inside a character counts as before it.
    fn advance(&self, from: Position, offset: u32) -> Position {
        let start = from.byte as usize;
        let end = floor(self.text, offset as usize).max(start);
        let mut to = Position { byte: end as u32, ..from };
        for chunk in self.text[start..end].utf8_chunks() {
            to.column += chunk.valid().chars().count() as u32;
            to.utf16 += chunk.valid().chars().map(|c| c.len_utf16() as u32).sum::<u32>();
            let replaced = u32::from(!chunk.invalid().is_empty());
            to.column += replaced;
            to.utf16 += replaced;
        }
        to
    }

    /// Returns the lines of a place, and one before and after.
    pub(super) fn around(&self, place: Place) -> Vec<Line> {
        let first = self.number(place.start);
        // A place that ends after a line ending does not include the next line.
        let last = self.number(place.end.saturating_sub(1).max(place.start)).min(first + PLACE_LINES - 1);
        let kept = first.saturating_sub(1).max(1)..=(last + 1).min(self.spans.len() as u32);
        kept.map(|number| self.window(number, place)).collect()
    }

    fn window(&self, number: u32, place: Place) -> Line {
        let (start, end) = self.span(number);
        let (start, end) = (start as usize, end as usize);
        let focus = (place.start as usize).clamp(start, end);
        let mut from = start;
        if end - start > LINE_BYTES {
            from = self.word_start(focus.saturating_sub(BEFORE_BYTES).max(start), start);
        }
        let to = floor(self.text, end.min(from + LINE_BYTES)).max(from);
        Line {
            number,
            start: from as u32,
            text: self.text[from..to].into(),
            cut_before: from > start,
            cut_after: to < end,
        }
    }

    fn word_start(&self, offset: usize, line_start: usize) -> usize {
        let earliest = offset.saturating_sub(WORD_BYTES).max(line_start);
        let back = self.text[earliest..offset].iter().rposition(|byte| byte.is_ascii_whitespace());
        floor(self.text, back.map_or(earliest, |found| earliest + found + 1)).max(line_start)
    }
}

/// Positions by offset.
pub(super) struct Positions(BTreeMap<u32, Position>);

impl Positions {
    pub(super) fn at(&self, offset: u32) -> Position {
        self.0.get(&offset).copied().unwrap_or_default()
    }
}

/// Returns the start of the character that contains an offset. An invalid byte is a separate character.
fn floor(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    let earliest = offset.saturating_sub(3);
    for start in (earliest..offset).rev() {
        // Search backward for a first byte whose complete character contains the offset.
        if text[start] & 0xc0 != 0x80 {
            let (character, length) = bstr::decode_utf8(&text[start..]);
            return if character.is_some() && start + length > offset { start } else { offset };
        }
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_front_matter::text::FileId;

    /// Formats an offset as `line:column:utf16`.
    fn at(text: &[u8], offset: u32) -> String {
        let position = Lines::new(text, offset).positions(std::iter::once(offset)).at(offset);
        format!("{}:{}:{}", position.line, position.column, position.utf16)
    }

    #[test]
    fn counts_columns_like_editors() {
        let cases: [(&[u8], u32, &str); 18] = [
            (b"", 0, "1:1:1"),
            (b"ab", 9, "1:3:3"),
            ("😀é x".as_bytes(), 4, "1:2:3"),
            ("😀é x".as_bytes(), 7, "1:4:5"),
            (b"\t\tx", 2, "1:3:3"),
            (b"a\nb", 2, "2:1:1"),
            (b"a\n", 2, "2:1:1"),
            (b"a\r\nb", 3, "2:1:1"),
            (b"a\r\nb", 1, "1:2:2"),
            (b"a\r\nb", 2, "1:2:2"),
            (b"a\rb\rc", 4, "3:1:1"),
            (b"a\r\rb", 3, "3:1:1"),
            (b"\xef\xbb\xbfab", 0, "1:1:1"),
            (b"\xef\xbb\xbfab", 3, "1:1:1"),
            (b"\xef\xbb\xbfab", 4, "1:2:2"),
            (b"a\xffb", 2, "1:3:3"),
            (b"a\xe2\x82b", 3, "1:3:3"),
            ("é".as_bytes(), 1, "1:1:1"),
        ];
        for (text, offset, expected) in cases {
            assert_eq!(at(text, offset), expected, "{offset} of {:?}", text.as_bstr());
        }
    }

    #[test]
    fn crops_long_lines_around_the_place() {
        let text = format!("first\n{}NEEDLE {}\nlast", "word ".repeat(1_000), "x".repeat(9_000));
        let start = text.find("NEEDLE").expect("it is there");
        let place = Place::new(FileId(0), start..start + 6);
        let lines = Lines::new(text.as_bytes(), place.end).around(place);
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3]);
        let window = &lines[1];
        assert!(window.cut_before && window.cut_after && window.text.len() == LINE_BYTES);
        assert!(window.text.starts_with(b"word "), "a window starts with a word");
        assert_eq!(&text[window.start as usize..window.end() as usize], window.text.to_str_lossy());
        assert!((window.start..window.end()).contains(&place.start));
    }

    #[test]
    fn keeps_the_first_lines_of_a_long_place() {
        let text = "line\n".repeat(100);
        let place = Place::new(FileId(0), 50..400);
        let lines = Lines::new(text.as_bytes(), place.end).around(place);
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), (10..=17).collect::<Vec<_>>());
    }
}
