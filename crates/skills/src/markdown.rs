//! Foreign text in Markdown: it never becomes HTML, a mention, a link or an image.
//!
//! A tracker links `@name`, `#1`, bare URLs and object ids anywhere in plain text, even if escaped, but not in a code span. So
//! everything except plain words is put into code spans.

/// Returns the first line of a comment. A program that posted the comment finds it again by this line, and updates it.
pub fn marker(topic: &str) -> String {
    format!("<!-- skilltree: {topic} -->\n")
}

/// Formats a code span with a fence longer than any in its text. Padding preserves leading and trailing spaces.
pub fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Formats a code block with a fence longer than any in its text, which ends with a line feed.
pub fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{text}{fence}\n")
}

/// Formats a message that quotes foreign text in backticks: the quotations become code spans, and so do other words that are
/// not plain. If the quotations are ambiguous, because one may contain a backtick, the whole message becomes a code span.
pub fn prose(message: &str, code: impl Fn(&str) -> String) -> String {
    let parts: Vec<&str> = message.split('`').collect();
    let last = parts.len() - 1;
    let mut text = String::new();
    for (number, part) in parts.iter().enumerate() {
        let is_quoted = number % 2 == 1;
        let is_clear = match is_quoted {
            true => !part.is_empty(),
            false => is_apart(part, number > 0, number < last),
        };
        if last % 2 == 1 || !is_clear {
            return code(message);
        }
        text.push_str(&if is_quoted { code(part) } else { words(part, &code) });
    }
    text
}

/// Returns whether the words of a text that are next to a quotation are plain: two code spans must not touch.
fn is_apart(text: &str, is_after: bool, is_before: bool) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    let last = text.rsplit(' ').next().unwrap_or_default();
    (!is_after || is_plain(first)) && (!is_before || is_plain(last))
}

/// Puts each run of words that are not plain into a code span.
fn words(text: &str, code: &impl Fn(&str) -> String) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let runs = words.chunk_by(|one, next| is_plain(one) == is_plain(next));
    let runs = runs.map(|run| match run.join(" ") {
        plain if is_plain(run[0]) => plain,
        other => {
            // The punctuation after a word belongs to the sentence.
            let word = other.trim_end_matches([',', ';', ':', '.']);
            let word = if word.is_empty() { other.as_str() } else { word };
            format!("{}{}", code(word), &other[word.len()..])
        }
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// Returns whether a word has no meaning in Markdown or to a tracker.
fn is_plain(word: &str) -> bool {
    let mut characters = word.chars().peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let is_digit = |other: Option<char>| other.is_some_and(|other| other.is_ascii_digit());
        let fine = match character {
            '.' if is_digit(before) && is_digit(next) => true,
            '+' if before.is_none() && is_digit(next) => true,
            '.' | ':' | '!' | '?' => next.is_none_or(|next| matches!(next, '.' | ',' | ')' | '"')),
            ',' | ';' | '(' | ')' | '\'' | '"' | '-' | '%' | '/' | '=' | '…' => true,
            other => other.is_alphanumeric(),
        };
        if !fine {
            return false;
        }
        before = Some(character);
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
            ("`", "`` ` ``"),
            ("``", "``` `` ```"),
            ("", "`  `"),
            ("<img src=x> @all |", "`<img src=x> @all |`"),
        ];
        for (text, span) in cases {
            assert_eq!(code(text), span);
        }
        assert_eq!(block("diff", "+a\n"), "```diff\n+a\n```\n");
        assert_eq!(block("diff", "+```\n"), "````diff\n+```\n````\n");
    }

    #[test]
    fn prose_keeps_words_and_quotes_the_rest() {
        let cases = [
            ("the name is missing", "the name is missing"),
            ("the name has 1,070 characters; the limit is 64", "the name has 1,070 characters; the limit is 64"),
            ("the name `a b` is not `a-b`", "the name `a b` is not `a-b`"),
            ("the name `a|b` is used twice", "the name `a|b` is used twice"),
            ("the name `<img src=x>` is long", "the name `<img src=x>` is long"),
            ("the name `@org/admins` is long", "the name `@org/admins` is long"),
            ("`a`, `b`: 1.5 MB, 24/7 (50 %)", "`a`, `b`: 1.5 MB, 24/7 (50 %)"),
            ("hidden: U+202C, then U+200B", "hidden: `U+202C`, then `U+200B`"),
            ("+2 skills, -1", "+2 skills, -1"),
            ("ask @team", "ask `@team`"),
            ("see https://x.example and #1", "see `https://x.example` and `#1`"),
            ("see [x](y) <b> now", "see `[x](y) <b>` now"),
            ("the name `x` evil.com `y` is wrong", "the name `x` `evil.com` `y` is wrong"),
            ("the name `a`@org`b` is long", "``the name `a`@org`b` is long``"),
            ("the name `x`y` is wrong", "``the name `x`y` is wrong``"),
            ("an open ` tick", "``an open ` tick``"),
            ("a `` b", "```a `` b```"),
            ("a | b", "a `|` b"),
            ("www.x.example", "`www.x.example`"),
            ("", ""),
        ];
        for (sentence, markdown) in cases {
            assert_eq!(prose(sentence, code), markdown);
        }
    }
}
