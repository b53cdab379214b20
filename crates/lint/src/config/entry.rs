//! Removal of an entry from an array of tables.

use std::ops::Range;

use bstr::ByteSlice;

/// Returns the bytes to delete with an entry `[[…]]`: its lines, and the blank lines up to the next entry, or those
/// before it if it is the last. `None` for an inline entry, whose commas would have to go as well.
pub fn removal(text: &[u8], entry: &Range<usize>) -> Option<Range<usize>> {
    if !text.get(entry.clone())?.starts_with(b"[[") {
        return None;
    }
    let start = text[..entry.start].rfind_byte(b'\n').map_or(0, |end| end + 1);
    let mut end = next_line(text, entry.end);
    let after_entry = end;
    while end < text.len() && text[end..next_line(text, end)].trim_ascii().is_empty() {
        end = next_line(text, end);
    }
    if after_entry < end || end < text.len() {
        return Some(start..end);
    }
    let kept = text[..start].trim_ascii_end().len();
    Some(if kept == 0 { 0..end } else { next_line(text, kept).min(start)..end })
}

/// Returns the start of the next line.
fn next_line(text: &[u8], offset: usize) -> usize {
    text[offset..].find_byte(b'\n').map_or(text.len(), |length| offset + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, entry: &str) -> Option<String> {
        let start = text.find(entry).expect("the entry is there");
        let taken = removal(text.as_bytes(), &(start..start + entry.len()))?;
        Some([&text[..taken.start], &text[taken.end..]].concat())
    }

    #[test]
    fn removes_an_entry_with_its_lines_and_one_gap() {
        let entry = "[[ignore]]\nrule = 'a'";
        let cases = [
            ("[[ignore]]\nrule = 'a' # so\n\n\n[[root]]\n", "[[root]]\n"),
            ("a = 1\n\n[[ignore]]\nrule = 'a'\n\n[[root]]\n", "a = 1\n\n[[root]]\n"),
            ("a = 1\n\n\n[[ignore]]\nrule = 'a'\n", "a = 1\n"),
            ("a = 1\n[[ignore]]\nrule = 'a'", "a = 1\n"),
            ("# why\n\n  [[ignore]]\nrule = 'a'\n", "# why\n"),
            ("\n[[ignore]]\nrule = 'a'\n", ""),
            ("[[ignore]]\nrule = 'a'\n[[root]]\n", "[[root]]\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(without(text, entry).as_deref(), Some(expected), "{text:?}");
        }
        assert_eq!(without("ignore = [{ rule = 'a' }]\n", "{ rule = 'a' }"), None);
    }
}
