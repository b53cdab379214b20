//! Application of edits to bytes.

use std::ops::Range;

use bstr::ByteSlice;

use super::choice::Group;
use crate::rule::LineEnding;

/// A text after its edits, with their old and new ranges.
pub(super) struct Spliced {
    pub(super) bytes: Vec<u8>,
    /// Replaced ranges in file order.
    pub(super) spans: Vec<Span>,
}

/// An edited place: range before, range after, and number of the group.
pub(super) struct Span {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
    pub(super) group: usize,
}

/// Makes the edits of groups that do not touch each other. Inserted text gets the line endings of the file.
pub(super) fn splice(text: &[u8], groups: &[Group]) -> Spliced {
    if let Some(line_ending) = groups.iter().find_map(|group| group.finding.line_ending) {
        return Spliced { bytes: with_line_endings(text, line_ending), spans: Vec::new() };
    }
    let numbered = groups.iter().enumerate();
    let mut edits: Vec<(usize, &(Range<usize>, String))> =
        numbered.flat_map(|(number, group)| group.edits.iter().map(move |edit| (number, edit))).collect();
    edits.sort_by_key(|(_, (range, _))| (range.start, range.end));
    let crlf = text.find_byte(b'\n').is_some_and(|at| text[..at].ends_with(b"\r"));
    let mut spliced = Spliced { bytes: Vec::with_capacity(text.len()), spans: Vec::with_capacity(edits.len()) };
    let mut copied = 0;
    for (group, (range, replacement)) in edits {
        let range = range.start.min(text.len())..range.end.min(text.len());
        spliced.bytes.extend_from_slice(&text[copied..range.start]);
        let start = spliced.bytes.len();
        if crlf && !replacement.contains('\r') {
            spliced.bytes.extend_from_slice(replacement.replace('\n', "\r\n").as_bytes());
        } else {
            spliced.bytes.extend_from_slice(replacement.as_bytes());
        }
        copied = range.end;
        spliced.spans.push(Span { before: range, after: start..spliced.bytes.len(), group });
    }
    spliced.bytes.extend_from_slice(&text[copied..]);
    spliced
}

/// Converts all line endings (CRLF, LF and lone CR) to one kind.
fn with_line_endings(text: &[u8], line_ending: LineEnding) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find_byteset(b"\r\n") {
        bytes.extend_from_slice(&rest[..at]);
        bytes.extend_from_slice(line_ending.bytes());
        rest = &rest[at + if rest[at..].starts_with(b"\r\n") { 2 } else { 1 }..];
    }
    bytes.extend_from_slice(rest);
    bytes
}
