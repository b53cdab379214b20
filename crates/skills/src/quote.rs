//! Quoting of front matter values.

use std::ops::Range;

use bstr::ByteSlice;

use crate::skill::Skill;
use skilltree_front_matter::text::Place;
use skilltree_front_matter::{Node, NodeKind, ScalarKind};

/// Line breaks of YAML 1.1 only, and so of PyYAML (YAML 1.1, section 4.1.4).
pub const LINE_ENDS_OF_YAML_1_1: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Describes the type that some YAML version reads instead of a string; `None` for strings and null.
pub fn not_a_string(node: &Node) -> Option<&'static str> {
    match &node.kind {
        NodeKind::List(_) => Some("a list"),
        NodeKind::Map(_) => Some("a map"),
        NodeKind::Scalar { kind, .. } => match kind {
            ScalarKind::Text | ScalarKind::Null => None,
            ScalarKind::Boolean => Some("a boolean"),
            ScalarKind::Number => Some("a number"),
            ScalarKind::Timestamp => Some("a date"),
        },
    }
}

/// Returns the text of a plain scalar in quotes, without trailing whitespace; `None` if it is not UTF-8 or empty, or if
/// some parser reads several lines in it: quotes would remove the keys on the other lines.
pub fn plain(skill: &Skill, place: Place) -> Option<String> {
    let text = skill.source(place).to_str().ok()?.trim_ascii();
    (!text.is_empty() && !text.contains(LINE_ENDS_OF_YAML_1_1)).then(|| quoted(text))
}

/// Quotes a text: double quotes, or single quotes if it contains quotes or backslashes.
pub fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) { format!("'{}'", text.replace('\'', "''")) } else { format!("\"{text}\"") }
}

/// Returns a well-formed name as a YAML value: quoted only if some YAML version reads a number, a date or a boolean.
pub fn name(name: &str) -> String {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let begins_like_number = name.starts_with(|first: char| first.is_ascii_digit());
    if begins_like_number || WORDS.contains(&name) { quoted(name) } else { name.to_owned() }
}

/// Returns the numeric and single-letter escapes of a double-quoted scalar that stand for one character, with their
/// ranges.
pub fn escapes(source: &[u8]) -> Vec<(Range<usize>, char)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(backslash) = source[at..].find_byte(b'\\').map(|found| at + found) {
        let digits = match source.get(backslash + 1) {
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let end = backslash + 2 + digits;
        let number = || u32::from_str_radix(source.get(backslash + 2..end)?.to_str().ok()?, 16).ok();
        let character = match source.get(backslash + 1) {
            Some(b'0') => Some('\0'),
            Some(b'a') => Some('\u{7}'),
            Some(b'b') => Some('\u{8}'),
            Some(b'v') => Some('\u{b}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'e') => Some('\u{1b}'),
            Some(b'N') => Some('\u{85}'),
            _ => number().and_then(char::from_u32),
        };
        found.extend(character.map(|character| (backslash..end, character)));
        at = end.min(source.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_keeps_every_character() {
        for text in ["Build for AWS: ECS", "it's", r#"say "hi""#, r"C:\temp", r#"'a' and "b""#, "@mention"] {
            let yaml: String = serde_yaml::from_str(&quoted(text)).expect("a quoted text is YAML");
            assert_eq!(yaml, text);
        }
    }

    #[test]
    fn finds_escapes_at_their_offsets() {
        let found =
            |source: &str| -> Vec<_> { escapes(source.as_bytes()).into_iter().map(|(at, c)| (at.start, c)).collect() };
        assert_eq!(
            found(r#"a\e\x1b\u009b\U0001f600"#),
            [(1, '\u{1b}'), (3, '\u{1b}'), (7, '\u{9b}'), (13, '\u{1f600}')]
        );
        assert_eq!(found(r#"C:\\x1b \"e\n\N \x1"#), [(13, '\u{85}')]);
        assert_eq!(found("\\"), []);
    }

    #[test]
    fn keeps_names_that_are_strings_unquoted() {
        for (bare, expected) in [("pdf", "pdf"), ("yes", "\"yes\""), ("1e3", "\"1e3\""), ("nope", "nope")] {
            assert_eq!(name(bare), expected);
        }
    }
}
