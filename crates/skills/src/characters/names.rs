//! Names of hidden characters for messages.

use std::collections::BTreeMap;

/// Number of different characters that are named; further ones are counted.
const NAMED: usize = 8;

/// Formats a character as Unicode does, `U+200B ZERO WIDTH SPACE`; without the name if it is not in the table.
pub(crate) fn code_point(character: char) -> String {
    let name = match character {
        '\u{ad}' => "SOFT HYPHEN",
        '\u{34f}' => "COMBINING GRAPHEME JOINER",
        '\u{61c}' => "ARABIC LETTER MARK",
        '\u{115f}' => "HANGUL CHOSEONG FILLER",
        '\u{1160}' => "HANGUL JUNGSEONG FILLER",
        '\u{180e}' => "MONGOLIAN VOWEL SEPARATOR",
        '\u{200b}' => "ZERO WIDTH SPACE",
        '\u{200c}' => "ZERO WIDTH NON-JOINER",
        '\u{200d}' => "ZERO WIDTH JOINER",
        '\u{200e}' => "LEFT-TO-RIGHT MARK",
        '\u{200f}' => "RIGHT-TO-LEFT MARK",
        '\u{202a}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202b}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202c}' => "POP DIRECTIONAL FORMATTING",
        '\u{202d}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202e}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2061}' => "FUNCTION APPLICATION",
        '\u{2062}' => "INVISIBLE TIMES",
        '\u{2063}' => "INVISIBLE SEPARATOR",
        '\u{2064}' => "INVISIBLE PLUS",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{3164}' => "HANGUL FILLER",
        '\u{fe0e}' => "VARIATION SELECTOR-15",
        '\u{fe0f}' => "VARIATION SELECTOR-16",
        '\u{feff}' => "ZERO WIDTH NO-BREAK SPACE",
        '\u{ffa0}' => "HALFWIDTH HANGUL FILLER",
        '\u{fff9}' => "INTERLINEAR ANNOTATION ANCHOR",
        '\u{fffa}' => "INTERLINEAR ANNOTATION SEPARATOR",
        '\u{fffb}' => "INTERLINEAR ANNOTATION TERMINATOR",
        '\u{e0001}' => "LANGUAGE TAG",
        '\u{e007f}' => "CANCEL TAG",
        other => return format!("U+{:04X}", u32::from(other)),
    };
    format!("U+{:04X} {name}", u32::from(character))
}

/// Formats the number of characters and their names by code point: `2 hidden characters: U+200B ZERO WIDTH SPACE (2)`.
/// `count` may be larger than `characters.len()`.
pub fn counted(noun: &str, characters: &[char], count: usize) -> String {
    let mut kinds: BTreeMap<char, usize> = BTreeMap::new();
    for &character in characters {
        *kinds.entry(character).or_default() += 1;
    }
    let mut parts = Vec::new();
    let mut rest = count;
    for (&character, &times) in kinds.iter().take(NAMED) {
        let times_shown = if times > 1 { format!(" ({times})") } else { String::new() };
        parts.push(format!("{}{times_shown}", code_point(character)));
        rest = rest.saturating_sub(times);
    }
    if rest > 0 {
        parts.push(format!("{rest} more"));
    }
    let parts = parts.join(", ");
    if count == 1 { format!("a {noun}: {parts}") } else { format!("{count} {noun}s: {parts}") }
}

/// Decodes the ASCII text that tag characters spell, if there are any: tag = 0xE0000 + ASCII.
pub fn spelled_by_tags(characters: &[char]) -> Option<String> {
    let spelled: String = characters
        .iter()
        .filter(|character| matches!(character, '\u{e0020}'..='\u{e007e}'))
        .filter_map(|&character| char::from_u32(u32::from(character) - 0xe0000))
        .collect();
    (!spelled.is_empty()).then_some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_by_kind() {
        let mixed = ['\u{200d}', '\u{200b}', '\u{200d}'];
        let listed = "3 marks: U+200B ZERO WIDTH SPACE, U+200D ZERO WIDTH JOINER (2)";
        assert_eq!(counted("mark", &mixed, 3), listed);
        assert_eq!(counted("mark", &['\u{e0041}'], 20), "20 marks: U+E0041, 19 more");
        assert_eq!(counted("mark", &['\u{ad}'], 1), "a mark: U+00AD SOFT HYPHEN");
    }

    #[test]
    fn decodes_tags_to_ascii() {
        assert_eq!(spelled_by_tags(&['\u{e0072}', '\u{200b}', '\u{e006d}', '\u{e007f}']).as_deref(), Some("rm"));
        assert_eq!(spelled_by_tags(&['\u{200b}']), None);
    }
}
