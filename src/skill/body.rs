//! Facts about a body, taken before it is dropped.

use bstr::ByteSlice;

use super::{BodyFacts, Marks};
use crate::characters;
use crate::text::{FileId, Place};

/// Measures the body that begins at an offset of a file. `text` is the file as far as it is UTF-8: what is behind its end
/// counts as bytes only.
pub(super) fn measure(file: FileId, bytes: &[u8], text: &str, start: usize) -> BodyFacts {
    let body = bytes.get(start..).unwrap_or_default();
    let trimmed = body.trim();
    let suspects = characters::suspects(text);
    BodyFacts {
        start: count(start),
        file_bytes: count(bytes.len()),
        lines: if trimmed.is_empty() { 0 } else { count(line_ends(trimmed)).saturating_add(1) },
        chars: count(chars(trimmed)),
        blank: trimmed.is_empty(),
        hidden: marks(file, &suspects.hidden),
        bidi: marks(file, &suspects.bidi),
    }
}

/// Line ends of all three kinds.
fn line_ends(bytes: &[u8]) -> usize {
    let feeds = tally(bytes, |byte| byte == b'\n');
    if bytes.find_byte(b'\r').is_none() {
        return feeds;
    }
    let returns = tally(bytes, |byte| byte == b'\r');
    feeds + returns - bytes.find_iter("\r\n").count()
}

/// Code points: every byte begins one but those that continue one.
fn chars(bytes: &[u8]) -> usize {
    bytes.len() - tally(bytes, |byte| byte & 0b1100_0000 == 0b1000_0000)
}

/// How many bytes are of a kind. Sums of bytes in blocks of at most 255 are what a compiler turns into vector code.
fn tally(bytes: &[u8], of_kind: impl Fn(u8) -> bool) -> usize {
    bytes.chunks(255).map(|block| usize::from(block.iter().map(|&byte| u8::from(of_kind(byte))).sum::<u8>())).sum()
}

fn marks(file: FileId, found: &[(usize, char)]) -> Marks {
    let mut marks = Marks::default();
    for &(at, character) in found {
        marks.push(character, Place::new(file, at..at + character.len_utf8()));
    }
    marks
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
