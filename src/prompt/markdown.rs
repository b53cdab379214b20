//! Text of the tree in Markdown that goes to a tracker: no HTML, no mention, no link and no image comes out of it.
//!
//! A tracker links `@name`, `#1`, bare addresses and object ids wherever they stand in plain text, whatever is escaped;
//! inside a code span it leaves them alone. So what is not plainly words stands in a code span.

use crate::characters;

/// Characters of a text that are shown.
const SHOWN_CHARS: usize = 300;

/// A text in a code span.
pub(super) fn code(text: &str) -> String {
    let shown = characters::visible(text);
    let mut text: String = shown.chars().take(SHOWN_CHARS).collect();
    if shown.chars().nth(SHOWN_CHARS).is_some() {
        text.push('…');
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A sentence of ours that quotes the tree in backticks: the quotations become code spans. A sentence that is not
/// plainly words outside of them becomes a code span as a whole, because a quotation may hold a backtick.
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

/// Whether a text is words that no Markdown and no tracker makes anything of.
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
    fn a_code_span_holds_whatever_is_in_it() {
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
    fn a_sentence_keeps_its_words_and_quotes_the_rest() {
        let cases = [
            ("the name is missing", "the name is missing"),
            ("the name has 70 characters; 64 are allowed", "the name has 70 characters; 64 are allowed"),
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
