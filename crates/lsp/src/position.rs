//! Conversion of byte offsets to lines and UTF-16 columns, and back.

use gen_lsp_types::{Position, Range, TextEdit};

/// A byte order mark. Editors keep it, and do not show it: it has no column.
pub(crate) const MARK: &str = "\u{feff}";

/// The lines of a text. LF, CRLF and a lone CR end a line.
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let first = if text.starts_with(MARK) { MARK.len() } else { 0 };
        Self { text, starts: std::iter::once(first).chain(ends.map(|end| end + 1)).collect() }
    }

    /// Returns the position of an offset; one inside of a character is at its start.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let end = offset.min(self.text.len());
        let offset = (0..=end).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or_default();
        let offset = offset.max(self.starts[0]);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        Position { line: line as u32, character: before.encode_utf16().count() as u32 }
    }

    /// Returns the offset of a position; one after the end of its line is at the end.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let line = self.line(position.line as usize);
        let mut units = 0;
        let found = line.char_indices().find(|(_, character)| {
            units += character.len_utf16();
            units > position.character as usize
        });
        start + found.map_or(line.len(), |(at, _)| at)
    }

    /// Returns the text of a line without its end.
    pub(crate) fn line(&self, number: usize) -> &'t str {
        let Some(&start) = self.starts.get(number) else { return "" };
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\r', '\n'])
    }

    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> Range {
        Range { start: self.position(range.start), end: self.position(range.end.max(range.start)) }
    }
}

/// Returns the edit that makes a text of another, as small as one edit can be.
pub(crate) fn edit(before: &str, after: &str) -> Option<TextEdit> {
    let [before, after] = [before, after].map(|text| text.strip_prefix(MARK).unwrap_or(text));
    if before == after {
        return None;
    }
    let same = before.bytes().zip(after.bytes()).take_while(|(one, two)| one == two).count();
    let start = (0..=same).rev().find(|&at| before.is_char_boundary(at) && after.is_char_boundary(at))?;
    let (left, right) = (&before[start..], &after[start..]);
    let same = left.bytes().rev().zip(right.bytes().rev()).take_while(|(one, two)| one == two).count();
    let is_boundary = |at: &usize| left.is_char_boundary(left.len() - at) && right.is_char_boundary(right.len() - at);
    let end = (0..=same).rev().find(is_boundary)?;
    let range = Lines::new(before).range(start..before.len() - end);
    Some(TextEdit { range, new_text: right[..right.len() - end].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_columns_in_utf16() {
        let text = "a\u{e9}\u{1f600}b\r\nc\rd\n";
        let lines = Lines::new(text);
        let at = |line, character| Position { line, character };
        for (offset, position) in
            [(0, at(0, 0)), (3, at(0, 2)), (7, at(0, 4)), (10, at(1, 0)), (12, at(2, 0)), (14, at(3, 0))]
        {
            assert_eq!(lines.position(offset), position, "{offset}");
            assert_eq!(lines.offset(position), offset, "{position:?}");
        }
        assert_eq!(lines.offset(at(0, 3)), 3, "half of a pair");
        assert_eq!((lines.offset(at(0, 99)), lines.offset(at(99, 0))), (8, 14));
        assert_eq!(lines.position(5), at(0, 2), "inside of a character");
    }

    #[test]
    fn edits_as_little_as_possible() {
        let edited = |before: &str, after: &str| {
            let edit = edit(before, after)?;
            let lines = Lines::new(before);
            let range = lines.offset(edit.range.start)..lines.offset(edit.range.end);
            let mut text = before.to_owned();
            text.replace_range(range.clone(), &edit.new_text);
            assert_eq!(text, after);
            Some((range, edit.new_text))
        };
        assert_eq!(edited("name: a\nb", "name: b\nb"), Some((6..7, "b".to_owned())));
        assert_eq!(edited("aa", "aaa"), Some((2..2, "a".to_owned())));
        assert_eq!(edited("\u{e9}", "\u{e8}"), Some((0..2, "\u{e8}".to_owned())));
        assert_eq!(edited("a", "a"), None);
        assert_eq!(edited("", "x"), Some((0..0, "x".to_owned())));
    }

    #[test]
    fn byte_order_mark_has_no_column() {
        let lines = Lines::new("\u{feff}ab\nc");
        assert_eq!(lines.position(4), Position { line: 0, character: 1 });
        assert_eq!(lines.position(0), Position { line: 0, character: 0 });
        assert_eq!(lines.offset(Position { line: 0, character: 1 }), 4);
        assert_eq!(edit("\u{feff}a", "a"), None, "an editor keeps it");
        let edit = edit("\u{feff}a", "\u{feff}b").unwrap();
        assert_eq!((edit.range.start.character, edit.new_text.as_str()), (0, "b"));
    }
}
