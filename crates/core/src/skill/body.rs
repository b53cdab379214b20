//! Facts about a body, collected before it is dropped.

mod download;
mod fence;
mod hidden;
mod hints;
mod links;
mod markdown;
mod orders;
mod target;

use std::cell::LazyCell;

use bstr::ByteSlice;

use super::{BodyFacts, Marks};
use crate::characters;
use crate::secret;
use crate::snapshot::{Body, File, Names};
use crate::text::{FileId, Place};
use hints::Hint;
use links::Bases;
use markdown::Structure;

/// Measures the body that begins at an offset of a file. `text` is the valid UTF-8 prefix of the file; later bytes only
/// count as bytes.
///
/// The body is scanned once for hints. It is parsed as Markdown only if a hint needs it.
pub(super) fn measure(id: FileId, file: &File, text: &str, start: usize, names: Names<'_>) -> BodyFacts {
    let bytes = if let Body::Text(bytes) = &file.body { bytes.as_slice() } else { text.as_bytes() };
    let body = bytes.get(start..).unwrap_or_default();
    let trimmed = body.trim();
    let suspects = characters::suspects(text);
    let found: Vec<Hint> = hints::MARKS.find(text, start).collect();
    let structure = LazyCell::new(|| Structure::new(text.get(start..).unwrap_or_default(), start));
    let may_be_open = fence::may_be_open(text, &found);
    BodyFacts {
        start: count(start),
        file_bytes: count(bytes.len()),
        lines: if trimmed.is_empty() { 0 } else { count(line_ends(trimmed)).saturating_add(1) },
        bytes: count(trimmed.len()),
        chars: count(chars(trimmed)),
        blank: trimmed.is_empty(),
        hidden: marks(id, &suspects.hidden),
        bidi: marks(id, &suspects.bidi),
        links: links::find(text, &found, &Bases::new(id, file, names), &structure),
        open_fence: may_be_open.then(|| structure.unclosed.clone()).flatten().map(|range| Place::new(id, range)),
        hidden_texts: hidden::find(id, text, start, &found, &structure),
        downloads: download::find(id, text, start),
        secrets: secrets(id, text),
    }
}

/// Returns the issued secrets in a text.
fn secrets(file: FileId, text: &str) -> Marks<&'static str> {
    let mut secrets = Marks::default();
    for hint in hints::SECRETS.find(text, 0) {
        if let Some((range, title)) = secret::issued_at(text.as_bytes(), hint.start) {
            secrets.push(title, Place::new(file, range));
        }
    }
    secrets
}

/// Counts line endings: LF, CRLF and CR.
fn line_ends(bytes: &[u8]) -> usize {
    let feeds = tally(bytes, |byte| byte == b'\n');
    if bytes.find_byte(b'\r').is_none() {
        return feeds;
    }
    let returns = tally(bytes, |byte| byte == b'\r');
    feeds + returns - bytes.find_iter("\r\n").count()
}

/// Counts code points: all bytes except continuation bytes.
fn chars(bytes: &[u8]) -> usize {
    bytes.len() - tally(bytes, |byte| byte & 0b1100_0000 == 0b1000_0000)
}

/// Counts the bytes of a kind. Blocks of at most 255 bytes sum into a `u8`, which the compiler vectorizes.
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
