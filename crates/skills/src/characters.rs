//! Character classes as a reader sees them: visible, hidden, or able to reorder adjacent text.

use std::borrow::Cow;
use std::fmt::Write as _;

mod bidi;
mod confusable;
mod hidden;
pub mod names;
mod suspects;

pub use bidi::is_control as is_bidi_control;
pub use confusable::{described, foreign, skeleton};
pub use suspects::{Suspects, suspects};

/// Returns whether a character is displayed unambiguously in a terminal, a log and a Markdown summary.
///
/// Not plain are controls, bidirectional controls, default-ignorable characters, line and paragraph separators, private
/// use and noncharacters. Context does not matter: a joiner that a script needs and a variation selector after an emoji
/// still make two different texts look alike, and their width differs between terminals.
pub fn is_plain(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        '\u{2028}' | '\u{2029}' => false,
        '\u{fff9}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}' => false,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. => false,
        '\u{fdd0}'..='\u{fdef}' => false,
        _ => u32::from(character) & 0xfffe != 0xfffe && !is_ignorable(character),
    }
}

/// Escapes every character that is not plain: `\t`, `
/// `, `\r`, or `\u{..}` with the hexadecimal digits of its code point. Plain text is returned unchanged.
pub fn visible(text: &str) -> Cow<'_, str> {
    let ascii = |byte: u8| matches!(byte, b' '..=b'~');
    if text.bytes().all(ascii) || text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\t' => shown.push_str("\\t"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            plain if is_plain(plain) => shown.push(plain),
            other => write!(shown, "\\u{{{:x}}}", u32::from(other)).expect("writing to a string cannot fail"),
        }
    }
    Cow::Owned(shown)
}

/// Returns whether a character has Unicode's `Default_Ignorable_Code_Point` property: a renderer that does not know it
/// shows nothing. Source: DerivedCoreProperties.txt, with the reserved unassigned ranges.
pub fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Finds the control characters of a text other than tab, line endings and NUL, with their offsets.
pub fn controls(text: &str) -> Vec<(usize, char)> {
    let is_unusual = |character: char| character.is_control() && !matches!(character, '\0' | '\t' | '\n' | '\r');
    text.char_indices().filter(|&(_, character)| is_unusual(character)).collect()
}

/// Returns whether a prompt keeps a character: visible characters, and the joiners, variation selectors and directional
/// marks that emoji and scripts need.
pub fn is_kept(character: char) -> bool {
    let needed = matches!(character, '\u{200c}'..='\u{200f}' | '\u{61c}' | '\u{34f}' | '\u{fe00}'..='\u{fe0f}')
        || matches!(character, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{ad}');
    needed || is_plain(character)
}

/// Returns whether a prompt keeps a character of a multi-line text.
pub fn is_kept_in_text(character: char) -> bool {
    matches!(character, '\n' | '\t') || is_kept(character)
}

/// Returns the first hidden, reordering or control character of a multi-line text, with its offset. CRLF is a line ending.
pub fn first_hidden(text: &str) -> Option<(usize, char)> {
    let is_line_ending = |at: usize| text[at..].starts_with("\r\n");
    text.char_indices().find(|&(at, character)| !is_kept_in_text(character) && !is_line_ending(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_plain_text() {
        for text in ["", "a b~", "naïve café", "日本語", "🦀", "a\u{a0}b", "cmd\\x", "\u{301}"] {
            assert!(matches!(visible(text), Cow::Borrowed(shown) if shown == text), "{text:?}");
        }
    }

    #[test]
    fn escapes_hidden_characters() {
        let cases = [
            ("a\tb\nc\r", "a\\tb\\nc\\r"),
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("\0\u{7f}\u{85}", "\\u{0}\\u{7f}\\u{85}"),
            ("a\u{200b}\u{202e}b\u{2066}", "a\\u{200b}\\u{202e}b\\u{2066}"),
            ("\u{2028}\u{feff}\u{e0041}", "\\u{2028}\\u{feff}\\u{e0041}"),
            ("\u{e000}\u{10fffd}\u{ffff}\u{1fffe}", "\\u{e000}\\u{10fffd}\\u{ffff}\\u{1fffe}"),
            ("⚠\u{fe0f}", "⚠\\u{fe0f}"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn finds_first_character_that_a_prompt_escapes() {
        assert_eq!(first_hidden("a\r\nb\t👩\u{200d}🔧\n"), None);
        for character in ['\u{202e}', '\u{e0069}', '\u{1b}', '\r', '\0', '\u{feff}', '\u{2028}', '\u{200b}'] {
            assert_eq!(first_hidden(&format!("a\n\nb{character}")), Some((4, character)), "{character:?}");
        }
    }
}
