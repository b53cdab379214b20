//! Refused template operations: those that build values from others, because the limits of the engine do not count
//! them.
//!
//! `~`, `+` and `*` build a long string in a few steps. Nested lists are small in memory, but comparing two of them
//! takes unbounded time in one step. So a template cannot build lists of values or mappings. A list of constants is
//! bounded by its source.

/// Keywords after which an expression continues: a parenthesis after one groups values and is not a macro call.
const OPERATORS: [&str; 8] = ["and", "elif", "else", "if", "in", "is", "not", "or"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Arguments of a macro call.
    Call,
    /// List or index: only constants.
    List,
    /// Parentheses around one value.
    Group,
}

/// Returns the first refused token of a template, with its line.
pub(super) fn refused(template: &str) -> Option<(&str, usize)> {
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        rest = after;
        if let Some(comment) = after.strip_prefix('#') {
            rest = comment.split_once("#}").map_or("", |(_, after)| after);
        } else if let Some(inside) = after.strip_prefix(['{', '%']) {
            match tag(inside) {
                Ok(after) => rest = after,
                Err((token, after)) => {
                    let before = &template[..template.len() - after.len() - token.len()];
                    return Some((token, 1 + before.matches('\n').count()));
                }
            }
        }
    }
    None
}

/// Returns the text after a tag, or the refused token in it and the text after that token.
pub(super) fn tag(inside: &str) -> Result<&str, (&str, &str)> {
    let (mut rest, mut before, mut open) = (inside, "", Vec::new());
    while let Some(length) = token(rest) {
        let (token, after) = rest.split_at(length);
        let is_refused = match token {
            "%" | "}" if after.starts_with('}') => return Ok(&after[1..]),
            "~" | "+" | "*" | "{" => true,
            "," => !matches!(open.last(), Some(Open::Call | Open::List)),
            // The text between `raw` and `endraw` has no template tokens.
            "raw" if before.is_empty() => true,
            quoted if quoted.starts_with(['"', '\'']) => is_escape(quoted),
            name if is_name(name) => open.contains(&Open::List),
            _ => false,
        };
        if is_refused {
            return Err((token, after));
        }
        match token {
            "[" => open.push(Open::List),
            "(" if is_name(before) && !OPERATORS.contains(&before) => open.push(Open::Call),
            "(" => open.push(Open::Group),
            ")" | "]" => drop(open.pop()),
            _ => {}
        }
        // A minus at the start of a tag trims whitespace before it.
        let is_trimming = before.is_empty() && token == "-";
        if !is_trimming && !token.trim().is_empty() {
            before = token;
        }
        rest = after;
    }
    Ok("")
}

/// Returns the length of the first token in bytes: a string in quotes, a word, or a character.
fn token(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    if matches!(first, '"' | '\'') {
        let mut is_escaped = false;
        let end = rest.char_indices().skip(1).find(|&(_, character)| {
            let ends = character == first && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            ends
        });
        return Some(end.map_or(rest.len(), |(at, quote)| at + quote.len_utf8()));
    }
    let word = rest.find(|character| !is_of_word(character)).unwrap_or(rest.len());
    Some(word.max(first.len_utf8()))
}

/// Returns whether a text in quotes has an escape that can stand for a hidden character.
fn is_escape(token: &str) -> bool {
    let mut characters = token.chars();
    while characters.any(|character| character == '\\') {
        if !matches!(characters.next(), Some('n' | 't' | '"' | '\'' | '\\' | '/')) {
            return true;
        }
    }
    false
}

pub(super) fn is_of_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first == '_' || first.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_operators_lists_and_raw_with_their_line() {
        for (template, expected) in [
            ("{{ a ~ b }}", Some(("~", 1))),
            ("{{ a }}\n\n{{ b + c }}", Some(("+", 3))),
            ("a ~ b {{ c }}", None),
            ("{{ a - b }}", None),
            ("{{ f(a, b) }}", None),
            ("{{ (a, b) }}", Some((",", 1))),
            ("{% if a in (b, c) %}{% endif %}", Some((",", 1))),
            ("{{ ['a', 'b'] }}", None),
            ("{{ [a] }}", Some(("a", 1))),
            ("{{ a['b'] }}", None),
            ("{% raw %}{% endraw %}", Some(("raw", 1))),
            ("{%- raw %}{% endraw %}", Some(("raw", 1))),
            ("\n{% raw %}\n\n\n\n{% endraw %}", Some(("raw", 2))),
            ("{{ f((a), b) }}", None),
            ("{{ skill.raw }}", None),
            ("{{- skill.raw - raw }}", None),
        ] {
            assert_eq!(refused(template), expected, "{template}");
        }
    }

    #[test]
    fn text_in_quotes_has_no_operators() {
        for (template, expected) in [
            (r#"{{ "a ~ b" }}"#, None),
            (r#"{{ "a\" ~ b" }}"#, None),
            (r#"{{ "a\\" ~ b }}"#, Some(("~", 1))),
            (r#"{{ "a' ~ 'b" }}"#, None),
            (r#"{{ "a\n" }}"#, None),
            (r#"{{ "\u200b" }}"#, Some((r#""\u200b""#, 1))),
        ] {
            assert_eq!(refused(template), expected, "{template}");
        }
    }
}
