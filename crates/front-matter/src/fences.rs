//! Detection of the fences. A malformed fence is reported and still accepted, so that a small error does not hide a
//! large one.

use std::ops::Range;

use super::lines::{self, Line, lines};
use super::repeated;
use super::{Fault, Fence, FenceFlaw, Instead, IntendedFence, What};
use crate::text::{FileId, Place};

/// The three bytes of a UTF-8 byte order mark.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Length of a fence.
const FENCE: usize = 3;

/// The parts of a file according to its fences.
#[derive(Debug)]
pub(super) struct Fences {
    /// The front matter, if there is an opening fence.
    pub(super) found: Option<Found>,
    /// The first byte of the body.
    pub(super) body_start: usize,
}

/// The byte ranges of a front matter.
#[derive(Debug)]
pub(super) struct Found {
    /// The opening fence without its line ending.
    pub(super) opener: Range<usize>,
    /// The bytes between the fences, with the last line ending.
    pub(super) yaml: Range<usize>,
    /// Whether there is a closing fence: without one the end of the YAML is unknown.
    pub(super) closed: bool,
    /// The first line of a second front matter directly after the closing fence.
    pub(super) repeated: Option<Range<usize>>,
}

/// Finds the fences of a file, and reports their faults.
pub(super) fn find(file: FileId, bytes: &[u8], faults: &mut Vec<Fault>) -> Fences {
    let mut report = |what: What, range: Range<usize>| faults.push(Fault { what, place: Place::new(file, range) });
    let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    if start > 0 {
        report(What::ByteOrderMark, 0..start);
    }
    let Some((opener, flaw)) = opening(bytes, start) else {
        let (instead, place) = instead(bytes, start);
        report(What::NoFence(instead), place);
        return Fences { found: None, body_start: start };
    };
    let closing = closing(bytes, opener);
    let end = closing.map_or(bytes.len(), |(closer, _)| closer.start);
    if let Some(heading) = formatted_heading(&bytes[..end], opener) {
        report(What::NoFence(Instead::FormattedHeading), heading);
        return Fences { found: None, body_start: start };
    }
    if start < opener.start {
        let blank = bytes[start..opener.start].trim_ascii().is_empty();
        report(What::TextBeforeFence { blank }, start..opener.start);
    }
    if let Some(flaw) = flaw {
        report(What::MalformedFence { fence: Fence::Opening, flaw }, opener.start..opener.end);
    }
    let fence = opener.start..opener.end;
    let Some((closer, flaw)) = closing else {
        let (intended, body_start) = unclosed(bytes, opener);
        let yaml = opener.next..intended.map_or(body_start, |(line, _)| line.start);
        let intended = intended.map(|(line, looks)| (Place::new(file, line.start..line.end), looks));
        report(What::Unclosed { intended }, fence.clone());
        return Fences { found: Some(Found { opener: fence, yaml, closed: false, repeated: None }), body_start };
    };
    if let Some(flaw) = flaw {
        report(What::MalformedFence { fence: Fence::Closing, flaw }, closer.start..closer.end);
    }
    let yaml = opener.next..closer.start;
    let repeated = repeated::find(bytes, closer);
    Fences { found: Some(Found { opener: fence, yaml, closed: true, repeated }), body_start: closer.next }
}

/// Finds the opening fence.
///
/// A fence on the first line that is not blank counts. A malformed or later one could be a thematic break: it counts
/// only if skill keys and another fence follow, and never after the start of a code block, because pages about skills
/// show examples.
fn opening(bytes: &[u8], start: usize) -> Option<(Line, Option<FenceFlaw>)> {
    let mut above_text = true;
    for line in lines(bytes, start) {
        let content = line.of(bytes);
        if let Some(flaw) = lines::fence(content) {
            let usual = matches!(flaw, None | Some(FenceFlaw::TrailingBlanks));
            if (above_text && usual) || leads_to_skill(bytes, line) {
                return Some((line, flaw));
            }
        } else if content.trim_ascii_start().starts_with(b"```") || content.trim_ascii_start().starts_with(b"~~~") {
            return None;
        }
        above_text &= lines::is_blank(content);
    }
    None
}

/// Returns whether a key follows directly, and `name` or `description` before the next fence.
fn leads_to_skill(bytes: &[u8], fence: Line) -> bool {
    let mut inside = lines(bytes, fence.next)
        .map(|line| line.of(bytes))
        .skip_while(|content| lines::is_blank(content) || content.starts_with(b"#"))
        .peekable();
    if inside.peek().is_none_or(|content| lines::key(content).is_none()) {
        return false;
    }
    let mut named = false;
    for content in inside {
        if lines::fence(content).is_some() {
            return named;
        }
        named |= lines::names_skill(content);
    }
    false
}

/// Returns the text at the start of a file without front matter, and its first line.
fn instead(bytes: &[u8], start: usize) -> (Instead, Range<usize>) {
    let mut text = lines(bytes, start).skip_while(|line| lines::is_blank(line.of(bytes)));
    let Some(first) = text.next() else { return (Instead::Nothing, 0..0) };
    let content = first.of(bytes);
    let mut below = text.map(|line| line.of(bytes)).take_while(|content| !lines::is_blank(content)).peekable();
    let is_marks = is_marks(content) && below.peek().is_some_and(|content| lines::key(content).is_some());
    let mut bare_keys = || {
        (is_marks || lines::key(content).is_some())
            && std::iter::once(content).chain(&mut below).take(BARE_KEYS).any(lines::names_skill)
    };
    let instead = if content.trim_ascii() == b"+++" {
        Instead::Toml
    } else if lines::is_formatted_heading(content) {
        Instead::FormattedHeading
    } else if content.strip_prefix(b"--- ").is_some_and(|text| lines::key(text).is_some()) {
        Instead::OnFence
    } else if is_path(content) && bytes[first.end..].trim_ascii().is_empty() {
        Instead::Path
    } else if bare_keys() {
        if is_marks { Instead::Marks } else { Instead::BareKeys }
    } else {
        Instead::Text
    };
    (instead, first.start..first.end)
}

/// Returns whether a line has only marks, as a thematic break has, or begins a block of code.
fn is_marks(line: &[u8]) -> bool {
    let is_code = line.starts_with(b"```") || line.starts_with(b"~~~");
    is_code || !line.iter().any(u8::is_ascii_alphanumeric)
}

/// Returns whether a line is a relative path without white space.
fn is_path(line: &[u8]) -> bool {
    let path = line.trim_ascii();
    (path.starts_with(b"../") || path.starts_with(b"./")) && !path.iter().any(u8::is_ascii_whitespace)
}

/// Number of lines searched for the keys of a skill without fences.
const BARE_KEYS: usize = 32;

/// Returns the heading that a formatter made of the front matter after its opening fence, unless the keys exist too.
/// `bytes` end at the closing fence.
fn formatted_heading(bytes: &[u8], opener: Line) -> Option<Range<usize>> {
    let mut inside = lines(bytes, opener.next).skip_while(|line| lines::is_blank(line.of(bytes)));
    let heading = inside.next().filter(|line| lines::is_formatted_heading(line.of(bytes)))?;
    let keys = inside.any(|line| matches!(lines::key(line.of(bytes)), Some(b"name")));
    (!keys).then_some(heading.start..heading.end)
}

/// Finds the closing fence.
///
/// `---` at the start of a line closes, with or without trailing whitespace: YAML does not allow it elsewhere. More
/// dashes close unless another key follows directly. An indented fence closes if the opening one has the same
/// indentation, or if no other fence closes, because a block scalar may contain such a line. After a line that cannot
/// be YAML neither closes: there it is a thematic break or the underline of a heading. Nothing closes after `---`
/// that text follows directly.
fn closing(bytes: &[u8], opener: Line) -> Option<(Line, Option<FenceFlaw>)> {
    let mut spare = None;
    let mut yaml = true;
    let mut below = lines(bytes, opener.next).peekable();
    while let Some(line) = below.next() {
        let content = line.of(bytes);
        let Some(flaw) = lines::fence(content) else {
            // A later fence is a thematic break. After a space, the text would be a second document.
            if yaml && spare.is_none() && lines::text_after_fence(content) == Some(FENCE) {
                return None;
            }
            yaml &= lines::reads_as_yaml(content);
            continue;
        };
        let closes = match flaw {
            None | Some(FenceFlaw::TrailingBlanks) => true,
            Some(FenceFlaw::ExtraDashes) => {
                yaml && below.peek().is_none_or(|next| lines::key(next.of(bytes)).is_none())
            }
            Some(FenceFlaw::Indented) => {
                let indented = lines::indentation(content);
                yaml && !indented.is_empty() && indented == lines::indentation(opener.of(bytes))
            }
        };
        if closes {
            return Some((line, flaw));
        }
        spare = spare.or(yaml.then_some((line, flaw)));
    }
    spare
}

/// Returns the line that was probably intended to close, and where the body begins without a closing fence: after that
/// line, otherwise at the first line that is blank, a heading or not YAML, unless a key of a skill follows.
fn unclosed(bytes: &[u8], opener: Line) -> (Option<(Line, IntendedFence)>, usize) {
    let mut body = None;
    for line in lines(bytes, opener.next) {
        let content = line.of(bytes);
        if let Some(looks) = intended_fence(content) {
            return (Some((line, looks)), line.next);
        }
        if lines::names_skill(content) && lines::indentation(content).is_empty() {
            body = None;
        } else if lines::is_blank(content) || content.starts_with(b"# ") || !lines::reads_as_yaml(content) {
            body = body.or(Some(line.start));
        }
        if !lines::reads_as_yaml(content) {
            break;
        }
    }
    (None, body.unwrap_or(bytes.len()))
}

/// Recognizes `...`, or a line of two or more characters that draw a line: word processors convert three hyphens to
/// them. Characters without width may be around them.
fn intended_fence(line: &[u8]) -> Option<IntendedFence> {
    let has_no_width = |character| matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let line = std::str::from_utf8(line)
        .ok()?
        .trim_matches(|character: char| character.is_whitespace() || has_no_width(character));
    let draws =
        |character| matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '*' | '_' | '+' | '~' | '=');
    match line {
        _ if lines::text_after_fence(line.as_bytes()).is_some() => Some(IntendedFence::WithText),
        "..." => Some(IntendedFence::Dots),
        "—" | "–" => Some(IntendedFence::OtherDashes),
        _ => (line.chars().nth(1).is_some() && line.chars().all(draws)).then_some(IntendedFence::OtherDashes),
    }
}
