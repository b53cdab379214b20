//! Repository text in Markdown for a tracker: it never becomes HTML, a mention, a link or an image.
//!
//! A tracker links `@name`, `#1`, bare URLs and object ids anywhere in plain text, even if escaped, but not in a code
//! span. So everything except plain words is put into code spans.

use crate::characters;
use crate::text;

/// Maximum number of characters shown of a text.
const SHOWN_CHARS: usize = 300;

/// Returns a text in a code span.
pub(super) fn code(text: &str) -> String {
    let shown = characters::visible(text);
    let text = text::shortened(&shown, SHOWN_CHARS);
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Formats a message that quotes repository text in backticks: the quotations become code spans. If the rest is not
/// plain words, the whole message becomes one code span, because a quotation may contain a backtick.
pub(super) fn prose(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    let balanced = parts.len() % 2 == 1;
    let quoted = |number: usize| number % 2 == 1;
    let safe =
        parts.iter().enumerate().all(|(number, part)| if quoted(number) { !part.is_empty() } else { is_words(part) });
    if !balanced || !safe {
        return code(sentence);
    }
    parts
        .iter()
        .enumerate()
        .map(|(number, part)| if quoted(number) { code(part) } else { (*part).to_owned() })
        .collect()
}

/// Returns whether a text is plain words, without meaning in Markdown or to a tracker.
fn is_words(text: &str) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next_ends = characters.peek().is_none_or(|next| *next == ' ');
        let fine = match character {
            '.' | ':' | '!' | '?' => next_ends,
            ',' => true,
            ' ' | ';' | '(' | ')' | '\'' | '"' | '-' | '%' => true,
            other => other.is_ascii_alphanumeric(),
        };
        if !fine {
            return false;
        }
    }
    true
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_span_holds_any_text() {
        let cases = [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("``", "``` `` ```"),
            ("", "`  `"),
            ("a\nb\u{202e}", "`a\\nb\\u{202e}`"),
            ("<img src=x> @all |", "`<img src=x> @all |`"),
        ];
        for (text, span) in cases {
            assert_eq!(code(text), span);
        }
        assert_eq!(code(&"é".repeat(301)), format!("`{}…`", "é".repeat(300)));
    }

    #[test]
    fn prose_keeps_words_and_quotes_the_rest() {
        let cases = [
            ("the name is missing", "the name is missing"),
            ("the name has 1,070 characters; the limit is 64", "the name has 1,070 characters; the limit is 64"),
            ("the name `a b` is not `a-b`", "the name `a b` is not `a-b`"),
            ("ask @team", "`ask @team`"),
            ("see https://x.example", "`see https://x.example`"),
            ("the name `x` evil.com `y` is wrong", "``the name `x` evil.com `y` is wrong``"),
            ("the name `x`y` is wrong", "``the name `x`y` is wrong``"),
            ("a `` b", "```a `` b```"),
            ("a | b", "`a | b`"),
            ("[a](b)", "`[a](b)`"),
        ];
        for (sentence, markdown) in cases {
            assert_eq!(prose(sentence), markdown);
        }
    }
}
