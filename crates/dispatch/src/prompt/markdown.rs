//! Repository text in Markdown for a tracker, see [`skilltree_skills::markdown`]: escaped, and short.

use skilltree_front_matter::text;
use skilltree_skills::characters;
use skilltree_skills::markdown;

/// Maximum number of characters shown of a text.
const SHOWN_CHARS: usize = 300;

/// Returns a text in a code span.
pub(super) fn code(text: &str) -> String {
    let shown = characters::visible(text);
    markdown::code(&text::shortened(&shown, SHOWN_CHARS))
}

/// Formats a message that quotes repository text in backticks.
pub(super) fn prose(sentence: &str) -> String {
    markdown::prose(sentence, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_truncates_text() {
        assert_eq!(code("a\nb\u{202e}"), "`a\\nb\\u{202e}`");
        assert_eq!(code(&"é".repeat(301)), format!("`{}…`", "é".repeat(300)));
        assert_eq!(prose("a\u{202e} line\nof `x\u{200b}`"), "`a\\u{202e} line\\nof` `x\\u{200b}`");
    }
}
