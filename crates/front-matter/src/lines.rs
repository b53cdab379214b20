//! Lines of a file, and their classification before parsing.

use bstr::ByteSlice;

use super::FenceFlaw;

/// A line by its offsets: its first byte, the byte after its content, the first byte of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl Line {
    /// Returns the bytes of the line without its line ending.
    pub(super) fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.end]
    }
}

/// Returns the lines from an offset on. A line ends with LF, CRLF or a lone CR: YAML ends it there too, and a file with
/// CR line endings would otherwise be one line.
pub(super) fn lines(bytes: &[u8], from: usize) -> impl Iterator<Item = Line> + '_ {
    let mut start = from;
    std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let line = match rest.find_byteset(b"\n\r") {
            None => Line { start, end: bytes.len(), next: bytes.len() },
            Some(length) => {
                let crlf = rest[length..].starts_with(b"\r\n");
                Line { start, end: start + length, next: start + length + if crlf { 2 } else { 1 } }
            }
        };
        start = line.next;
        Some(line)
    })
}

/// Returns whether a line is only spaces and tabs.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Returns the leading spaces and tabs of a line.
pub(super) fn indentation(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    &line[..end]
}

/// Classifies a line of three or more dashes: `Some(None)` for an exact fence, `Some(Some(flaw))` otherwise. Of several
/// flaws, the one that the fewest runtimes accept counts.
pub(super) fn fence(line: &[u8]) -> Option<Option<FenceFlaw>> {
    if line == b"---" {
        return Some(None);
    }
    let dashes = line.trim_with(|character| matches!(character, ' ' | '\t'));
    if dashes.len() < 3 || dashes.iter().any(|&byte| byte != b'-') {
        return None;
    }
    Some(Some(if !line.starts_with(b"-") {
        FenceFlaw::Indented
    } else if dashes.len() > 3 {
        FenceFlaw::ExtraDashes
    } else {
        FenceFlaw::TrailingBlanks
    }))
}

/// Returns the offset of the text after three dashes at the start of a line: `---# Title`, `--- Title`. A line that draws
/// something has none.
pub(super) fn text_after_fence(line: &[u8]) -> Option<usize> {
    let rest = line.strip_prefix(b"---")?;
    let text = &rest[indentation(rest).len()..];
    let draws =
        |character: char| !character.is_alphanumeric() && !matches!(character, '#' | '[' | '`' | '!' | '<' | '|');
    (!text.is_empty() && !text.starts_with(b"-") && !text.chars().all(draws)).then(|| line.len() - text.len())
}

/// Returns the key of a line like `key: value` or `key:`, indented or not.
pub(super) fn key(line: &[u8]) -> Option<&[u8]> {
    let (key, rest) = word(line)?;
    let rest = rest[indentation(rest).len()..].strip_prefix(b":")?;
    (rest.is_empty() || matches!(rest[0], b' ' | b'\t')).then_some(key)
}

/// Returns the key of a line like `key:value`, indented or not; `None` for an address and for a name with `::`.
pub(super) fn tight_key(line: &[u8]) -> Option<&[u8]> {
    let (key, rest) = word(line)?;
    let value = rest.strip_prefix(b":")?;
    (!value.is_empty() && !matches!(value[0], b' ' | b'\t' | b':') && !value.starts_with(b"//")).then_some(key)
}

/// A full-width colon, which keyboards for Chinese and Japanese write.
const WIDE_COLON: &[u8] = "\u{ff1a}".as_bytes();

/// Returns the key at the start of a line with something else in place of a colon, and the offset of its value: `name = pdf`,
/// `name - pdf`, `name pdf`, or a full-width colon. What is usual in a text counts only after a key of every skill.
pub(crate) fn odd_key(line: &[u8]) -> Option<(&[u8], usize)> {
    let (key, rest) = word(line).filter(|_| indentation(line).is_empty())?;
    let separator = &rest[indentation(rest).len()..];
    let is_of_skill = matches!(key, b"name" | b"description");
    let usual: [&[u8]; 3] = [WIDE_COLON, b"=>", b"="];
    let rare: [&[u8]; 4] = [b"- ", b";", "\u{2192}".as_bytes(), "\u{2013} ".as_bytes()];
    let after = usual.iter().find_map(|one| separator.strip_prefix(*one)).filter(|after| !after.starts_with(b"="));
    let after = after.filter(|_| is_of_skill || key.len() > 2);
    let after = after.or_else(|| rare.iter().filter(|_| is_of_skill).find_map(|one| separator.strip_prefix(*one)));
    let after = after.or_else(|| (separator.len() < rest.len() && is_value(key, separator)).then_some(separator))?;
    let value = after.trim_ascii_start();
    (!value.is_empty()).then(|| (key, line.len() - value.len()))
}

/// Returns whether a text after a key and a space is surely its value: prose can begin with the word, too.
fn is_value(key: &[u8], text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    match key {
        b"name" => text.trim_ascii().iter().all(is_part),
        b"description" => text.first().is_some_and(|first| first.is_ascii_uppercase() || b"\"'".contains(first)),
        _ => false,
    }
}

/// Returns the length of the indentation of a list item without a space after its dash: `  -Bash`.
pub(super) fn tight_dash(line: &[u8]) -> Option<usize> {
    let indented = indentation(line).len();
    let first = *line[indented..].strip_prefix(b"-")?.first()?;
    (first.is_ascii_alphabetic() || matches!(first, b'"' | b'\'' | b'*')).then_some(indented)
}

/// Returns the word that could be a key at the start of a line, and the text after it.
fn word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = &line[indentation(line).len()..];
    let length = line.iter().position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-'))?;
    let is_key = line.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    is_key.then(|| line.split_at(length))
}

/// Returns whether a line sets `name` or `description`.
pub(super) fn names_skill(line: &[u8]) -> bool {
    matches!(key(line), Some(b"name" | b"description"))
}

/// Returns whether a line is a Markdown heading of a skill's field, `## name: x`: a formatter takes the closing fence
/// for the underline of a heading.
pub(super) fn is_formatted_heading(line: &[u8]) -> bool {
    let title = line.trim_start_with(|character| character == '#');
    title.len() < line.len() && title.starts_with(b" ") && names_skill(title)
}

/// Returns whether a line can be inside front matter: blank, a comment, indented, a list item or a key.
pub(super) fn reads_as_yaml(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b' ' | b'\t' | b'#' | b'-' | b'"' | b'\'' | b'}' | b']') => true,
        Some(_) => key(line).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_lines_at_lf_crlf_and_cr() {
        let bytes = b"a\nbc\r\n\rd";
        let found: Vec<&[u8]> = lines(bytes, 0).map(|line| line.of(bytes)).collect();
        assert_eq!(found, [&b"a"[..], b"bc", b"", b"d"]);
        assert_eq!(lines(b"", 0).count(), 0);
        assert_eq!(lines(b"a\n", 0).count(), 1);
    }

    #[test]
    fn classifies_fences() {
        let cases: &[(&[u8], Option<Option<FenceFlaw>>)] = &[
            (b"---", Some(None)),
            (b"--- ", Some(Some(FenceFlaw::TrailingBlanks))),
            (b"---\t", Some(Some(FenceFlaw::TrailingBlanks))),
            (b"----", Some(Some(FenceFlaw::ExtraDashes))),
            (b"---- ", Some(Some(FenceFlaw::ExtraDashes))),
            (b"  ---", Some(Some(FenceFlaw::Indented))),
            (b"\t----- ", Some(Some(FenceFlaw::Indented))),
            (b"--", None),
            (b"", None),
            (b"- - -", None),
            (b"--- a", None),
            (b"---a", None),
        ];
        for (line, expected) in cases {
            assert_eq!(fence(line), *expected, "{:?}", line.as_bstr());
        }
    }

    #[test]
    fn requires_colon_and_space_after_a_key() {
        let cases: &[(&[u8], Option<&[u8]>)] = &[
            (b"name: x", Some(b"name")),
            (b"  allowed-tools:", Some(b"allowed-tools")),
            (b"name : x", Some(b"name")),
            (b"name:\tx", Some(b"name")),
            (b"http://x", None),
            (b": x", None),
            (b"name", None),
            (b"- name: x", None),
            (b"# name: x", None),
            (b"", None),
        ];
        for (line, expected) in cases {
            assert_eq!(key(line), *expected, "{:?}", line.as_bstr());
        }
        assert_eq!(tight_key(b"  name:pdf"), Some(&b"name"[..]));
        for line in ["name: pdf", "name:", "https://x", "std::io", "7:30", "a b:c"] {
            assert_eq!(tight_key(line.as_bytes()), None, "{line}");
        }
        assert!(is_formatted_heading(b"## name: x") && is_formatted_heading(b"# description:"));
        assert!(!is_formatted_heading(b"name: x") && !is_formatted_heading(b"## Names: x"));
    }
}
