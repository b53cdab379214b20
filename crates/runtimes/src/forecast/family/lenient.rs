//! Emulation of the YAML parser of VS Code, which rejects nothing: it skips what it cannot read and keeps the keys around
//! it. Every scalar is a string as written; anchors, aliases and tags are part of it. The first of duplicate keys wins.
//!
//! YAML without any fault is read alike by all. This reads the rest, key by key: the outermost mapping, whose scalars are
//! followed to their end.

use skilltree_front_matter::text::{FileId, Place, Spanned};
use skilltree_front_matter::{Bounds, Field, Node, NodeKind, ScalarKind, Style, values};

/// Returns the fields that the parser finds.
pub(super) fn fields(text: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        let Some((key, value)) = key(line) else {
            rest = after;
            continue;
        };
        let start = line.len() - value.len();
        let (kind, left) = read_value(&rest[start..], value, after);
        rest = left;
        if !fields.iter().any(|field| field.key.value == key) {
            let place = Place::whole(FileId(0));
            fields.push(Field { key: Spanned { value: key, place }, value: Node { kind, place } });
        }
    }
    fields
}

/// Splits a text after its first line; the line has no line ending.
fn split_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// Returns the key of a line that is not indented, and its value without leading whitespace.
fn key(line: &str) -> Option<(String, &str)> {
    if line.starts_with([' ', '\t', '#', '%', '-', '[', '{', ':']) {
        return None;
    }
    let colon = line.match_indices(':').map(|(at, _)| at).find(|&at| is_end(&line[at + 1..]))?;
    let key = line[..colon].trim().trim_matches(['"', '\'']);
    (!key.is_empty()).then(|| (key.to_owned(), line[colon + 1..].trim_start_matches([' ', '\t'])))
}

fn is_end(after_colon: &str) -> bool {
    after_colon.is_empty() || after_colon.starts_with([' ', '\t'])
}

/// Returns a value and the text after its last line. `text` begins with the value, `line` is its first line, `after` the
/// lines below.
fn read_value<'t>(text: &'t str, line: &str, after: &'t str) -> (NodeKind, &'t str) {
    match line.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let (value, left) = quoted(&text[1..], quote);
            (scalar(value, Style::DoubleQuoted), split_line(left).1)
        }
        Some('|' | '>') if is_block_header(line) => block(line, after),
        Some(open @ ('[' | '{')) => {
            let close = if open == '[' { ']' } else { '}' };
            let end = text.find(close).map_or(text.len(), |at| at + 1);
            let kind = if open == '[' { NodeKind::List(Vec::new()) } else { NodeKind::Map(Vec::new()) };
            (kind, split_line(&text[end..]).1)
        }
        Some('-') if is_end(&line[1..]) => (NodeKind::List(Vec::new()), after),
        _ => plain(line, after),
    }
}

/// Reads a plain scalar: its line without a comment, and indented lines below that contain no key.
fn plain<'t>(line: &str, after: &'t str) -> (NodeKind, &'t str) {
    let value = without_comment(line);
    let mut parts = vec![value.trim()];
    let mut rest = after;
    if value.len() == line.len() {
        while rest.starts_with([' ', '\t']) {
            let (line, below) = split_line(rest);
            // The parser skips a directive wherever it begins a line.
            if line.trim_start_matches([' ', '\t']).starts_with('%') {
                rest = below;
                continue;
            }
            let has_colon = line.match_indices(':').any(|(at, _)| is_end(&line[at + 1..]));
            let value = without_comment(line).trim();
            if has_colon || value.is_empty() {
                break;
            }
            parts.push(value);
            rest = below;
        }
    }
    parts.retain(|part| !part.is_empty());
    (scalar(parts.join(" "), Style::Plain), rest)
}

fn without_comment(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(|before| matches!(before, ' ' | '\t'));
    line.match_indices('#').map(|(at, _)| at).find(|&at| begins(at)).map_or(line, |at| &line[..at])
}

fn is_block_header(line: &str) -> bool {
    let rest = line[1..].trim_start_matches(['1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-']);
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with('#')
}

/// Reads a block scalar: the indented lines below it.
fn block<'t>(header: &str, after: &'t str) -> (NodeKind, &'t str) {
    let mut end = 0;
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = || after.split_inclusive('\n');
    let common = lines().find(|line| !line.trim().is_empty()).map_or(0, indent);
    for line in lines() {
        if !line.trim().is_empty() && (indent(line) == 0 || indent(line) < common) {
            break;
        }
        end += line.len();
    }
    let yaml = format!("k: {header}\n{}", &after[..end]);
    let read = values(&yaml, Bounds { bytes: yaml.len(), ..Bounds::NONE });
    let text = read.root.as_ref().and_then(|root| root.field("k")?.value.scalar().map(str::to_owned));
    (scalar(text.unwrap_or_default(), Style::Literal), &after[end..])
}

/// Reads a quoted scalar after its opening quote; without a closing one, to the end of the text. Returns the text after it.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut value = String::new();
    // Length without whitespace as written, which a line break removes.
    let mut kept = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' if quote == '\'' && text[at + 1..].starts_with('\'') => {
                characters.next();
                value.push('\'');
                kept = value.len();
            }
            _ if character == quote => return (value, &text[at + 1..]),
            '\\' if quote == '"' => {
                let escape = characters.next().map(|(_, escape)| escape);
                value.push_str(&escaped(escape));
                kept = value.len();
            }
            '\n' => {
                value.truncate(kept);
                let mut breaks = 0;
                while let Some(&(_, next)) = characters.peek() {
                    match next {
                        ' ' | '\t' => {}
                        '\n' => breaks += 1,
                        _ => break,
                    }
                    characters.next();
                }
                value.push_str(&if breaks > 0 { "\n".repeat(breaks) } else { " ".to_owned() });
                kept = value.len();
            }
            _ => {
                value.push(character);
                if !matches!(character, ' ' | '\t') {
                    kept = value.len();
                }
            }
        }
    }
    (value, "")
}

fn escaped(escape: Option<char>) -> String {
    let text = match escape {
        Some('n') => "\n",
        Some('t') => "\t",
        Some('r') => "\r",
        Some('\\') => "\\",
        Some('"') => "\"",
        Some('/') => "/",
        Some(' ') => " ",
        Some(other) => return format!("\\{other}"),
        None => "\\",
    };
    text.to_owned()
}

fn scalar(text: String, style: Style) -> NodeKind {
    let kind = if text.is_empty() && style == Style::Plain { ScalarKind::Null } else { ScalarKind::Text };
    NodeKind::Scalar { text, style, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_keys_that_can_be_read() {
        // As the parser of VS Code 1.138.0 reads them.
        let cases = [
            ("d: Use when: a: b.\n", "Use when: a: b."),
            ("d: Builds: reads # a comment\n", "Builds: reads"),
            ("d: &anchor Reads.\n", "&anchor Reads."),
            ("d: \"Reads\" then: more\n", "Reads"),
            ("d: 'It's this'\n", "It"),
            ("d: \"Reads C:\\data files.\"\n", "Reads C:\\data files."),
            ("d: \"Reads PDF files.\n", "Reads PDF files. "),
            ("d: Reads PDF\n  files: all\n", "Reads PDF"),
            ("d: Reads PDF\nfiles.\nd: Again.\n", "Reads PDF"),
            ("----\n?\nd: >-\n  One\n  two.\n", "One two."),
            ("d: | not literal\n", "| not literal"),
        ];
        assert!(fields("d: - one\n")[0].value.scalar().is_none());
        for (text, expected) in cases {
            let found = fields(text);
            let value = found.iter().find(|field| field.key.value == "d").and_then(|field| field.value.scalar());
            assert_eq!(value, Some(expected), "{text}");
        }
    }
}
