//! Facts about a body, collected before it is dropped.

mod bases;
mod calls;
mod commands;
pub(super) mod conflicts;
mod download;
mod fence;
mod hidden;
mod hints;
mod inputs;
mod links;
mod markdown;
mod marks;
mod mentions;
mod numbered;
mod orders;
mod partners;
mod placeholders;
mod qualified;
mod replaced;
mod target;
mod targets;
mod template;
mod unfinished;
mod variables;
mod ways;

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::links::Target;
use super::{BodyFacts, Links, Marks, STARTER_STEPS};
use crate::characters;
use crate::secret::{self, SecretKind};
use crate::snapshot::{Body, File, Names};
use bases::Bases;
use hints::Hint;
use markdown::Structure;
use marks::marks;
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::{FileId, Place, tokens};

/// Measures the body that begins at an offset of a file. `text` is the valid UTF-8 prefix of the file; later bytes only
/// count as bytes.
///
/// The body is scanned once for hints. It is parsed as Markdown only if a hint needs it.
pub(super) fn measure(
    id: FileId,
    file: &File,
    text: &str,
    start: usize,
    names: Option<Names<'_>>,
    bounds: Bounds,
) -> BodyFacts {
    let bytes = if let Body::Text(bytes) = &file.body { bytes.as_slice() } else { text.as_bytes() };
    let body = bytes.get(start..).unwrap_or_default();
    let (trimmed, inner) = (body.trim(), inner(bytes, start));
    let suspects = characters::suspects(text);
    let found: Vec<Hint> = hints::MARKS.find(text, start).collect();
    let structure = LazyCell::new(|| Structure::new(text.get(start..).unwrap_or_default(), start));
    let may_be_open = fence::may_be_open(text, &found);
    let (lines, length) = (if trimmed.is_empty() { 0 } else { line_endings(trimmed) + 1 }, chars(trimmed));
    let is_long = lines > bounds.body_lines || tokens(length) > bounds.body_tokens;
    let offset = start + body.len() - body.trim_start().len();
    let commands = commands::find(id, text, start, &structure);
    let links = |names| {
        let bases = Bases::new(id, file, names);
        let inputs = inputs::find(text, &commands, &bases, Links::KEPT + 1);
        let mut links = Links { inputs, ..links::find(text, start, &found, &bases, &structure) };
        links.limit();
        links
    };
    BodyFacts {
        start: count(start),
        inner: count(inner.start)..count(inner.end),
        file_bytes: count(bytes.len()),
        lines: count(lines),
        bytes: count(trimmed.len()),
        chars: count(length),
        excess: if is_long { excess(id, trimmed, offset, bounds) } else { None },
        blank: trimmed.is_empty(),
        hidden: marks(id, text, &suspects.hidden),
        bidi: marks(id, text, &suspects.bidi),
        links: names.map(links).unwrap_or_default(),
        open_fence: may_be_open.then(|| structure.unclosed.clone()).flatten().map(|range| Place::new(id, range)),
        hidden_texts: hidden::find(id, text, start, &found, &structure),
        downloads: download::find(id, text, start),
        commands,
        replaced: replaced::find(id, text, start, &structure),
        numbered: numbered::find(id, text, start, &structure),
        placeholders: placeholders::find(id, text, start),
        conflicts: conflicts::find(id, text, start, &structure),
        secrets: secrets(id, text),
        controls: controls(id, text, start),
        placeholder: unfinished::find(text.get(start..).unwrap_or_default(), |at| {
            structure.block(start + at).is_some()
        })
        .map(|(range, what)| (Place::new(id, start + range.start..start + range.end), what)),
    }
}

/// Returns the offsets of the body that begins at an offset of a file, without leading and trailing blank lines.
pub fn inner(bytes: &[u8], start: usize) -> Range<usize> {
    let start = start.min(bytes.len());
    let is_blank = |line: &&[u8]| line.trim().is_empty();
    let before: usize = bytes[start..].lines_with_terminator().take_while(is_blank).map(<[u8]>::len).sum();
    let body = &bytes[start + before..];
    let last = body.trim_end().len();
    let end = body[last..].find_byte(b'\n').map_or(body.len(), |newline| last + newline + 1);
    start + before..start + before + end
}

/// Returns the links of a reference file that may lead nowhere. They may start from the directory of the file, and from that of
/// the skill, as the Agent Skills specification recommends.
pub(super) fn links_of_reference(id: FileId, file: &File, skill: &File, text: &str, names: Names<'_>) -> Links {
    let found: Vec<Hint> = hints::MARKS.find(text, 0).collect();
    let structure = LazyCell::new(|| Structure::new(text, 0));
    links::find(text, 0, &found, &Bases::of_reference(id, file, skill, names), &structure)
}

/// Returns the conflict markers of a reference file.
pub(super) fn conflicts_of_reference(id: FileId, text: &str) -> Marks<()> {
    conflicts::find(id, text, 0, &LazyCell::new(|| Structure::new(text, 0)))
}

/// Returns every path that a Markdown file of a skill names, in the text from an offset on.
pub(super) fn targets(
    id: FileId,
    file: &File,
    skill: &File,
    (text, start): (&str, usize),
    names: Names<'_>,
) -> Vec<Target> {
    targets::find(text, start, &Bases::of_reference(id, file, skill, names))
}

/// Returns the issued secrets in a text, in its order.
fn secrets(file: FileId, text: &str) -> Marks<SecretKind> {
    let bytes = text.as_bytes();
    let words = |range: Range<usize>| hints::SECRETS.iter().flat_map(move |words| words.starts(bytes, range.clone()));
    let mut starts: Vec<usize> = secret::candidates(bytes).flat_map(words).collect();
    starts.extend(bytes.find_iter(secret::KEY_BEGIN));
    starts.sort_unstable();
    let mut secrets = Marks::default();
    let mut seen = 0;
    for start in starts {
        let issued = if start < seen { None } else { secret::issued_at(bytes, start) };
        if let Some(issued) = issued.filter(|issued| issued.range.start >= seen) {
            seen = issued.range.end;
            let written = &text[issued.range.clone()];
            secrets.push(issued.kind, Place::new(file, issued.range), written);
        }
    }
    secrets
}

/// Returns the control characters of a body other than tab, line endings and NUL, which is a fault.
fn controls(file: FileId, text: &str, start: usize) -> Marks {
    let body = text.get(start..).unwrap_or_default();
    let is_candidate =
        |byte: u8| (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || matches!(byte, 0x7f | 0xc2);
    if tally(body.as_bytes(), is_candidate) == 0 {
        return Marks::default();
    }
    let found: Vec<(usize, char)> =
        characters::controls(body).into_iter().map(|(at, character)| (start + at, character)).collect();
    marks(file, text, &found)
}

/// Returns the line of a body at which it exceeds a limit on its lines or tokens, whichever comes first. `trimmed` begins
/// at an offset of the file.
fn excess(file: FileId, trimmed: &[u8], offset: usize, bounds: Bounds) -> Option<Place> {
    let (mut lines, mut length) = (0, 0);
    let mut start = 0;
    while start < trimmed.len() {
        let rest = &trimmed[start..];
        let end = rest.find_byteset(b"\n\r").unwrap_or(rest.len());
        let line_ending = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        lines += 1;
        length += chars(&rest[..rest.len().min(end + line_ending)]);
        if lines > bounds.body_lines || tokens(length) > bounds.body_tokens {
            return Some(Place::new(file, offset + start..offset + start + end));
        }
        start += end + line_ending;
    }
    None
}

/// Counts line endings: LF, CRLF and CR.
fn line_endings(bytes: &[u8]) -> usize {
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

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
