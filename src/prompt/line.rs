//! Values of skills on one line.
//!
//! An accepted skill holds nothing that hides or forges; that a value stays in its place is made sure of here once
//! more, because an ignored finding is no reason to hand a model a forged line.

use std::fmt::Write as _;

use bstr::BStr;

use crate::characters;
use crate::text;

/// A value on one line: runs of white space become one space, and what hides or reorders becomes an escape.
pub(super) fn one_line(value: &str) -> String {
    let mut line = String::with_capacity(value.len());
    for word in value.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            match is_kept(character) {
                true => line.push(character),
                false => escape(character, &mut line),
            }
        }
    }
    line
}

/// Whether a text of several lines goes into a prompt as it is.
pub(super) fn is_plain_text(text: &str) -> bool {
    // To the end, and ASCII by itself: that is how many bytes are looked at together.
    let is_plain = |byte: u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~' | 0x80..);
    text.bytes().fold(true, |plain, byte| plain & is_plain(byte))
        && text.chars().all(|character| character.is_ascii() || is_kept(character))
}

/// A text of several lines: what hides or reorders becomes an escape.
pub(super) fn text(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        match is_kept_in_text(character) {
            true => kept.push(character),
            false => escape(character, &mut kept),
        }
    }
    kept
}

fn is_kept_in_text(character: char) -> bool {
    matches!(character, '\n' | '\t') || is_kept(character)
}

fn escape(character: char, text: &mut String) {
    write!(text, "\\u{{{:x}}}", u32::from(character)).expect("writing to a string cannot fail");
}

/// A path of the tree on one line.
pub(super) fn path(path: &BStr) -> String {
    characters::visible(&text::lossless(path)).into_owned()
}

/// A text as a part of a code span: it holds nothing that would end the span.
pub(super) fn in_code_span(text: &str) -> String {
    text.replace('`', "\\u{60}")
}

/// Whether a character goes into a prompt as it is: what people see, and what emoji and scripts need to be written
/// right, which are joiners, variation selectors and the marks of direction.
fn is_kept(character: char) -> bool {
    let needed = matches!(character, '\u{200c}'..='\u{200f}' | '\u{61c}' | '\u{34f}' | '\u{fe00}'..='\u{fe0f}')
        || matches!(character, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{ad}');
    needed || characters::is_plain(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_on_its_line() {
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
    fn a_path_stays_on_its_line_and_in_its_span() {
        assert_eq!(path(b"a\nb/\xff`c".into()), "a\\nb/\\xff`c");
        assert_eq!(in_code_span("a`b"), "a\\u{60}b");
    }
}
