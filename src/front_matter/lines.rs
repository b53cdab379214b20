//! Lines of a file, and what a line looks like before anything is known of its meaning.

use bstr::ByteSlice;

use super::FenceFlaw;

/// A line by its offsets: its first byte, the byte behind its content, the first byte of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl Line {
    /// The bytes of the line without its line end.
    pub(super) fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.end]
    }
}

/// The lines from an offset on. A line ends with LF, with CRLF, or with CR alone: YAML ends it there too, and a file of
/// an old Mac would otherwise be one line.
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

/// Whether nothing but blanks stands on a line.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The blanks that a line begins with.
pub(super) fn indentation(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    &line[..end]
}

/// A line of three or more dashes: `Some(None)` when it is exactly a fence, `Some(Some(flaw))` when it differs from one.
/// Of several flaws the one that fewest runtimes put up with counts.
pub(super) fn fence(line: &[u8]) -> Option<Option<FenceFlaw>> {
    if line == b"---" {
        return Some(None);
    }
    let dashes = line.trim_with(|character| matches!(character, ' ' | '\t'));
    if dashes.len() < 3 || dashes.iter().any(|&byte| byte != b'-') {
        return None;
    }
    Some(Some(match () {
        () if !line.starts_with(b"-") => FenceFlaw::Indented,
        () if dashes.len() > 3 => FenceFlaw::ExtraDashes,
        () => FenceFlaw::TrailingBlanks,
    }))
}

/// The key of a line that looks like `key: value` or `key:`, indented or not.
pub(super) fn key(line: &[u8]) -> Option<&[u8]> {
    let line = &line[indentation(line).len()..];
    let length = line.iter().position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-'))?;
    let (key, rest) = line.split_at(length);
    let rest = rest[indentation(rest).len()..].strip_prefix(b":")?;
    let is_key = key.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    (is_key && (rest.is_empty() || matches!(rest[0], b' ' | b'\t'))).then_some(key)
}

/// Whether a line sets one of the two fields that make a skill.
pub(super) fn names_skill(line: &[u8]) -> bool {
    matches!(key(line), Some(b"name" | b"description"))
}

/// Whether a line is a Markdown heading of a skill's field: `## name: x`, what a formatter leaves of a front matter
/// whose closing fence it took for the underline of a heading.
pub(super) fn is_formatted_heading(line: &[u8]) -> bool {
    let title = line.trim_start_with(|character| character == '#');
    title.len() < line.len() && title.starts_with(b" ") && names_skill(title)
}

/// Whether a line can stand between two fences: blank, a comment, indented, an entry of a list or a key.
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
    fn a_line_ends_in_three_ways() {
        let bytes = b"a\nbc\r\n\rd";
        let found: Vec<&[u8]> = lines(bytes, 0).map(|line| line.of(bytes)).collect();
        assert_eq!(found, [&b"a"[..], b"bc", b"", b"d"]);
        assert_eq!(lines(b"", 0).count(), 0);
        assert_eq!(lines(b"a\n", 0).count(), 1);
    }

    #[test]
    fn a_fence_is_three_dashes() {
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
    fn a_key_is_followed_by_a_colon_and_a_blank() {
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
        assert!(is_formatted_heading(b"## name: x") && is_formatted_heading(b"# description:"));
        assert!(!is_formatted_heading(b"name: x") && !is_formatted_heading(b"## Names: x"));
    }
}
