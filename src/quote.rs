//! When a value of the front matter needs quotes, and how it looks in them.

use bstr::ByteSlice;

use crate::front_matter::{Node, NodeKind, ScalarKind};
use crate::skill::Skill;
use crate::text::Place;

/// What some YAML family makes of a value that should be a string, in words; `None` for text and for nothing.
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

/// The text of a plain scalar in quotes, without blanks behind it; `None` where it is no UTF-8 or empty.
pub fn plain(skill: &Skill, place: Place) -> Option<String> {
    let text = skill.source(place).to_str().ok()?.trim();
    (!text.is_empty()).then(|| quoted(text))
}

/// A text in double quotes; in single quotes where double ones would give some of it another meaning.
pub fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) { format!("'{}'", text.replace('\'', "''")) } else { format!("\"{text}\"") }
}

/// A well-formed name as a value: bare, unless some YAML family reads a number, a date or a boolean there.
pub fn name(name: &str) -> String {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let begins_like_number = name.starts_with(|first: char| first.is_ascii_digit());
    if begins_like_number || WORDS.contains(&name) { quoted(name) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_every_character() {
        for text in ["Build for AWS: ECS", "it's", r#"say "hi""#, r"C:\temp", r#"'a' and "b""#, "@mention"] {
            let yaml: String = serde_yaml::from_str(&quoted(text)).expect("a quoted text is YAML");
            assert_eq!(yaml, text);
        }
    }

    #[test]
    fn a_name_that_is_text_stays_bare() {
        for (bare, expected) in [("pdf", "pdf"), ("yes", "\"yes\""), ("1e3", "\"1e3\""), ("nope", "nope")] {
            assert_eq!(name(bare), expected);
        }
    }
}
