//! Block rendered by a template of the repository, for a dispatcher with its own format.
//!
//! A template consists of macros: `skill(skill)`, and optionally `head()`, `separator()` and `tail()` for the text around and
//! between skills. The output for a skill depends only on that skill, so template blocks have fragments like all renderings. A
//! template receives the facts of the index and the bodies, and can read nothing else: no files, clock, environment or other
//! templates.
//!
//! Templates come from the tree and are untrusted. Fuel, recursion depth and output are limited, and operations that
//! build long values from short ones in a few steps (`~`, `+`, `*`, lists of values, mappings) are refused. So are hidden
//! characters. Literal text is counted like values: see [`macros`].

#[cfg(feature = "templates")]
mod macros;
#[cfg(not(feature = "templates"))]
#[path = "template/without.rs"]
mod macros;

use super::line;

/// Source of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Path of its file. The extension selects the escaping of values: XML for `.xml` and `.html`, JSON for `.json`,
    /// none for others.
    pub path: String,
    /// Text of the template.
    pub text: String,
}

impl Template {
    /// Returns the first hidden, reordering or control character in the text, with its offset. A block contains none. CRLF is a line ending.
    pub fn hidden(&self) -> Option<(usize, char)> {
        let text = &self.text;
        let is_line_ending = |at: usize| text[at..].starts_with("\r\n");
        text.char_indices().find(|&(at, character)| !line::is_kept_in_text(character) && !is_line_ending(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_hidden_characters() {
        let hidden = |text: &str| Template { path: "t.md".to_owned(), text: text.to_owned() }.hidden();
        assert_eq!(hidden("a\r\nb\t👩\u{200d}🔧\n"), None);
        for character in ['\u{202e}', '\u{e0069}', '\u{1b}', '\r', '\0', '\u{feff}', '\u{2028}', '\u{200b}'] {
            assert_eq!(hidden(&format!("a\n\nb{character}")), Some((4, character)), "{character:?}");
        }
    }
}
