//! Where the front matter begins and ends. A fence that is not quite one is noted and still taken for one, so that a
//! small mistake does not hide a large one.

use std::ops::Range;

use super::lines::{self, Line, lines};
use super::repeated;
use super::{Fault, Fence, FenceFlaw, Instead, MeantFence, What};
use crate::text::{FileId, Place};

/// The three bytes of a UTF-8 byte order mark.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What the fences of a file say of its parts.
#[derive(Debug)]
pub(super) struct Fences {
    /// The opening fence without its line end, and the bytes between the fences.
    pub(super) found: Option<Found>,
    /// The first byte of the body.
    pub(super) body_start: usize,
}

/// A front matter by its offsets.
#[derive(Debug)]
pub(super) struct Found {
    /// The opening fence without its line end.
    pub(super) opener: Range<usize>,
    /// The bytes between the fences, the last line end included.
    pub(super) yaml: Range<usize>,
    /// Whether there is a closing fence: without one nobody knows where the YAML ends.
    pub(super) closed: bool,
    /// The first line of another front matter directly behind the closing fence.
    pub(super) repeated: Option<Range<usize>>,
}

/// Finds the fences of a file, and notes what is wrong with them.
pub(super) fn find(file: FileId, bytes: &[u8], faults: &mut Vec<Fault>) -> Fences {
    let mut note = |what: What, range: Range<usize>| faults.push(Fault { what, place: Place::new(file, range) });
    let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    if start > 0 {
        note(What::ByteOrderMark, 0..start);
    }
    let Some((opener, flaw)) = opening(bytes, start) else {
        let (instead, place) = instead(bytes, start);
        note(What::NoFence(instead), place);
        return Fences { found: None, body_start: start };
    };
    if let Some(heading) = formatted_heading(bytes, opener) {
        note(What::NoFence(Instead::FormattedHeading), heading);
        return Fences { found: None, body_start: start };
    }
    if start < opener.start {
        let blank = bytes[start..opener.start].trim_ascii().is_empty();
        note(What::TextBeforeFence { blank }, start..opener.start);
    }
    if let Some(flaw) = flaw {
        note(What::MalformedFence { fence: Fence::Opening, flaw }, opener.start..opener.end);
    }
    let fence = opener.start..opener.end;
    let Some((closer, flaw)) = closing(bytes, opener) else {
        let (meant, body_start) = unclosed(bytes, opener);
        let yaml = opener.next..meant.map_or(body_start, |(line, _)| line.start);
        let meant = meant.map(|(line, looks)| (Place::new(file, line.start..line.end), looks));
        note(What::Unclosed { meant }, fence.clone());
        return Fences { found: Some(Found { opener: fence, yaml, closed: false, repeated: None }), body_start };
    };
    if let Some(flaw) = flaw {
        note(What::MalformedFence { fence: Fence::Closing, flaw }, closer.start..closer.end);
    }
    let yaml = opener.next..closer.start;
    let repeated = repeated::find(bytes, closer);
    Fences { found: Some(Found { opener: fence, yaml, closed: true, repeated }), body_start: closer.next }
}

/// The opening fence.
///
/// A fence on the first line that is not blank is one. A malformed one, or one further down, could as well be a
/// thematic break: it counts only when the keys of a skill and another fence follow, and never below the start of a code
/// block, because pages about skills show examples of them.
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

/// Whether a key follows directly, and `name` or `description` before the next fence.
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

/// What stands at the beginning of a file without a front matter, and the first line of it.
fn instead(bytes: &[u8], start: usize) -> (Instead, Range<usize>) {
    let mut text = lines(bytes, start).skip_while(|line| lines::is_blank(line.of(bytes)));
    let Some(first) = text.next() else { return (Instead::Nothing, 0..0) };
    let content = first.of(bytes);
    let bare_keys = || {
        let paragraph = text.map(|line| line.of(bytes)).take_while(|content| !lines::is_blank(content));
        lines::key(content).is_some()
            && std::iter::once(content).chain(paragraph).take(BARE_KEYS).any(lines::names_skill)
    };
    let instead = match () {
        () if lines::is_formatted_heading(content) => Instead::FormattedHeading,
        () if bare_keys() => Instead::BareKeys,
        () => Instead::Text,
    };
    (instead, first.start..first.end)
}

/// How many lines are searched for the name of a skill whose fences are missing.
const BARE_KEYS: usize = 32;

/// The heading that a formatter made of a front matter below its opening fence, unless the keys are there as well.
fn formatted_heading(bytes: &[u8], opener: Line) -> Option<Range<usize>> {
    let mut inside = lines(bytes, opener.next).skip_while(|line| lines::is_blank(line.of(bytes)));
    let heading = inside.next().filter(|line| lines::is_formatted_heading(line.of(bytes)))?;
    let keys = inside
        .map(|line| line.of(bytes))
        .take_while(|content| lines::fence(content) != Some(None))
        .any(|content| matches!(lines::key(content), Some(b"name")));
    (!keys).then_some(heading.start..heading.end)
}

/// The closing fence.
///
/// `---` at the start of a line closes, blanks behind it or not: YAML allows it nowhere else. More dashes close unless
/// another key follows at once; an indented fence closes when the opening one is indented alike, or when no other fence
/// does, because a block scalar may hold such a line. Neither does below a line that cannot be YAML: there it is a
/// thematic break or the underline of a heading.
fn closing(bytes: &[u8], opener: Line) -> Option<(Line, Option<FenceFlaw>)> {
    let mut spare = None;
    let mut yaml = true;
    let mut below = lines(bytes, opener.next).peekable();
    while let Some(line) = below.next() {
        let content = line.of(bytes);
        let Some(flaw) = lines::fence(content) else {
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

/// The line that was probably meant to close, and where the body begins without a closing fence: behind that line, else
/// at the first line that is blank, a heading or no YAML.
fn unclosed(bytes: &[u8], opener: Line) -> (Option<(Line, MeantFence)>, usize) {
    let mut body = None;
    for line in lines(bytes, opener.next) {
        let content = line.of(bytes);
        if let Some(looks) = meant_fence(content) {
            return (Some((line, looks)), line.next);
        }
        if lines::is_blank(content) || content.starts_with(b"# ") || !lines::reads_as_yaml(content) {
            body = body.or(Some(line.start));
        }
        if !lines::reads_as_yaml(content) {
            break;
        }
    }
    (None, body.unwrap_or(bytes.len()))
}

/// `...`, or a line of two and more characters that draw a line: what a word processor makes of three hyphens.
fn meant_fence(line: &[u8]) -> Option<MeantFence> {
    let line = std::str::from_utf8(line).ok()?.trim();
    let draws =
        |character| matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '*' | '_' | '+' | '~' | '=');
    match line {
        "..." => Some(MeantFence::Dots),
        "—" | "–" => Some(MeantFence::OtherDashes),
        _ => (line.chars().nth(1).is_some() && line.chars().all(draws)).then_some(MeantFence::OtherDashes),
    }
}
