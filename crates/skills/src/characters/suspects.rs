//! One pass over a text for hidden characters and bidirectional controls.

use super::{bidi, hidden, is_ignorable};

/// Suspicious characters with their offsets, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suspects {
    /// Hidden characters without a function.
    pub hidden: Vec<(usize, char)>,
    /// Bidirectional controls that are unbalanced, overriding, empty or not needed by their text.
    pub bidi: Vec<(usize, char)>,
}

/// Finds hidden characters and suspicious bidirectional controls. A byte order mark at the start is neither.
///
/// Nearly every text is mostly ASCII, so words of ASCII are skipped, and other characters are decoded only if their
/// first byte can start an ignorable one.
pub fn suspects(text: &str) -> Suspects {
    let mut suspects = Suspects::default();
    let mut line_done = 0;
    let mut at = 0;
    while let Some(found) = next_candidate(text.as_bytes(), at) {
        let Some(character) = text[found..].chars().next() else { break };
        at = found + character.len_utf8();
        if bidi::is_control(character) {
            if found >= line_done {
                let line = bidi::line(text, found);
                line_done = line.end;
                suspects.bidi.extend(bidi::suspects(&text[line.clone()], line.start));
            }
        } else if found > 0 || character != '\u{feff}' {
            let shows_nothing = is_ignorable(character) || matches!(character, '\u{fff9}'..='\u{fffb}');
            if shows_nothing && !hidden::is_excused(text, found, character) {
                suspects.hidden.push((found, character));
            }
        }
    }
    suspects
}

/// Returns the offset, at or after `from`, of the next character whose first byte can start an ignorable character.
fn next_candidate(bytes: &[u8], from: usize) -> Option<usize> {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let mut at = from;
    while at < bytes.len() {
        while let Some(word) = bytes[at..].first_chunk::<8>() {
            if u64::from_ne_bytes(*word) & HIGH_BITS != 0 {
                break;
            }
            at += 8;
        }
        let window = &bytes[at..bytes.len().min(at + 8)];
        match window.iter().position(|&byte| matches!(byte, 0xc2 | 0xcd | 0xd8 | 0xe1..=0xe3 | 0xef | 0xf0 | 0xf3)) {
            Some(step) if may_begin(&bytes[at + step..]) => return Some(at + step),
            Some(step) => at += step + 1,
            None => at += window.len(),
        }
    }
    None
}

/// Returns whether bytes can start an ignorable character, by the first two or three.
fn may_begin(bytes: &[u8]) -> bool {
    match bytes {
        [0xc2, second, ..] => *second == 0xad,
        [0xcd, second, ..] => *second == 0x8f,
        [0xd8, second, ..] => *second == 0x9c,
        [0xe1, second, ..] => matches!(second, 0x85 | 0x9e | 0xa0),
        [0xe2, 0x80, third, ..] => matches!(third, 0x8b..=0x8f | 0xaa..=0xae),
        [0xe2, 0x81, third, ..] => *third >= 0xa0,
        [0xe3, second, ..] => *second == 0x85,
        [0xef, second, ..] => matches!(second, 0xb8 | 0xbb | 0xbe | 0xbf),
        [0xf0, second, ..] => matches!(second, 0x9b | 0x9d),
        [0xf3, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_keeps_every_ignorable_character() {
        for character in ('\0'..=char::MAX).filter(|&character| is_ignorable(character) || bidi::is_control(character))
        {
            for before in ["", "abc", "abcdefgh", "é", "日本語"] {
                let text = format!("{before}{character}xyz");
                assert_eq!(next_candidate(text.as_bytes(), 0), Some(before.len()), "{:x}", u32::from(character));
            }
        }
        assert_eq!(next_candidate("plain — “text” with 日本語, ✅ and é 🦀".as_bytes(), 0), None);
    }
}
