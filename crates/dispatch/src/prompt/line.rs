//! Values of skills on one line.
//!
//! An accepted skill contains no hidden characters. Values are escaped here again, because an ignored finding must not
//! allow a forged line in the prompt.

use std::fmt::Write as _;

use bstr::BStr;

use skilltree_front_matter::text;
use skilltree_skills::characters;
use skilltree_skills::roots::Root;

/// Returns a value on one line: whitespace runs become one space, and hidden or reordering characters are escaped.
pub(super) fn one_line(value: &str) -> String {
    let mut line = String::with_capacity(value.len());
    for word in value.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            match characters::is_kept(character) {
                true => line.push(character),
                false => escape(character, &mut line),
            }
        }
    }
    line
}

/// Returns whether a multi-line text needs no escapes in a prompt.
pub(super) fn is_plain_text(text: &str) -> bool {
    // Nearly all text is ASCII, and its bytes are faster to look at than its characters.
    let ascii = |byte: u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    text.bytes().all(ascii) || text.chars().all(characters::is_kept_in_text)
}

fn escape(character: char, text: &mut String) {
    write!(text, "\\u{{{:x}}}", u32::from(character)).expect("writing to a string cannot fail");
}

/// Returns a path of the tree on one line.
pub(super) fn path(path: &BStr) -> String {
    characters::visible(&text::lossless(path)).into_owned()
}

/// Returns a path that a reader of the prompt can open, on one line.
pub(super) fn open_path(root: &Root, shown: &BStr) -> Option<String> {
    root.open_path(shown).map(path)
}

/// Returns a text for a code span, without characters that would end it.
pub(super) fn in_code_span(text: &str) -> String {
    text.replace('`', "\\u{60}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_on_one_line() {
        let cases = [
            ("  a  b\n\n## c\r\n\td ", "a b ## c d"),
            ("a\u{85}b\u{2028}c\u{2029}d\u{b}e\u{c}f", "a b c d e f"),
            ("a\u{a0}b\u{3000}c", "a b c"),
            ("\u{1b}[31m\0", "\\u{1b}[31m\\u{0}"),
            ("a\u{202e}b\u{e0041}\u{200b}", "a\\u{202e}b\\u{e0041}\\u{200b}"),
            ("⚠\u{fe0f} 👩\u{200d}🔧 می\u{200c}خواهم", "⚠\u{fe0f} 👩\u{200d}🔧 می\u{200c}خواهم"),
            (" \n ", ""),
        ];
        for (value, line) in cases {
            assert_eq!(one_line(value), line);
        }
    }

    #[test]
    fn paths_stay_on_one_line_and_in_their_span() {
        assert_eq!(path(b"a\nb/\xff`c".into()), "a\\nb/\\xff`c");
        assert_eq!(in_code_span("a`b"), "a\\u{60}b");
    }
}
