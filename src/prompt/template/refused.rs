//! What a template may not hold: what makes a value of others, because the limits of the engine do not count it.
//!
//! `~`, `+` and `*` make a long text in a few steps. A list of lists of lists is small in memory, and comparing two of them
//! takes time without end in one step. So a template makes no list of values and no map; a list of constants is as long
//! as it is written.

/// Names that an expression goes on behind: a parenthesis there holds a list, and not what is handed to a macro.
const OPERATORS: [&str; 8] = ["and", "elif", "else", "if", "in", "is", "not", "or"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// What is handed to a macro.
    Call,
    /// A list, or the place in one: constants alone.
    List,
    /// Parentheses around one value.
    Group,
}

/// The first token of a template that is refused, and its line.
pub(super) fn refused(template: &str) -> Option<(&str, usize)> {
    let mut rest = template;
    while let Some((_, behind)) = rest.split_once('{') {
        rest = behind;
        if let Some(comment) = behind.strip_prefix('#') {
            rest = comment.split_once("#}").map_or("", |(_, behind)| behind);
        } else if let Some(inside) = behind.strip_prefix(['{', '%']) {
            match tag(inside) {
                Ok(behind) => rest = behind,
                Err((token, behind)) => {
                    let before = &template[..template.len() - behind.len() - token.len()];
                    return Some((token, 1 + before.matches('\n').count()));
                }
            }
        }
    }
    None
}

/// What stands behind a tag, or what is refused in it and what stands behind that.
fn tag(inside: &str) -> Result<&str, (&str, &str)> {
    let (mut rest, mut before, mut open) = (inside, "", Vec::new());
    while let Some(length) = token(rest) {
        let (token, behind) = rest.split_at(length);
        let is_refused = match token {
            "%" | "}" if behind.starts_with('}') => return Ok(&behind[1..]),
            "~" | "+" | "*" | "{" => true,
            "," => !matches!(open.last(), Some(Open::Call | Open::List)),
            // What stands between `raw` and `endraw` has other tokens.
            "raw" if before.is_empty() => true,
            name if is_name(name) => open.contains(&Open::List),
            _ => false,
        };
        if is_refused {
            return Err((token, behind));
        }
        match token {
            "[" => open.push(Open::List),
            "(" if is_name(before) && !OPERATORS.contains(&before) => open.push(Open::Call),
            "(" => open.push(Open::Group),
            ")" | "]" => drop(open.pop()),
            _ => {}
        }
        // A minus at the start of a tag is about the space before it.
        let is_trimming = before.is_empty() && token == "-";
        if !is_trimming && !token.trim().is_empty() {
            before = token;
        }
        rest = behind;
    }
    Ok("")
}

/// The bytes of the first token: a text in quotes, a word, or a character.
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

fn is_of_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first == '_' || first.is_alphabetic())
}
