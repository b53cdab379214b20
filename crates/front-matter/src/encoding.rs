//! Encoding checks: files that are not text, line endings, and control characters.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::lines::lines;
use super::{ByteOrder, Fault, Feature, What};
use crate::text::{FileId, Place};

/// The first line of a Git LFS pointer (git-lfs docs/spec.md).
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Returns whether a file is a Git LFS pointer, so that its text is elsewhere.
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(LFS_POINTER)
}

/// Returns the fault of a file that is not text: a Git LFS pointer or UTF-16. No other check applies to it.
pub(super) fn not_text(file: FileId, bytes: &[u8]) -> Option<Fault> {
    if is_lfs_pointer(bytes) {
        let place = Place::new(file, 0..LFS_POINTER.len());
        return Some(Fault { what: What::LfsPointer, place });
    }
    let order = utf16(bytes)?;
    Some(Fault { what: What::NotUtf8 { utf16: Some(order) }, place: Place::new(file, 0..2) })
}

/// Returns the byte order of UTF-16, detected by its mark or by the zero bytes of ASCII text.
fn utf16(bytes: &[u8]) -> Option<ByteOrder> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(ByteOrder::Little),
        [0xfe, 0xff, ..] => return Some(ByteOrder::Big),
        _ => {}
    }
    let units = bytes[..bytes.len().min(32)].chunks_exact(2);
    let all = |zero: usize| units.len() >= 4 && units.clone().all(|unit| unit[zero] == 0 && unit[1 - zero] != 0);
    if all(1) {
        Some(ByteOrder::Little)
    } else if all(0) {
        Some(ByteOrder::Big)
    } else {
        None
    }
}

/// Returns the text of a file: all of it, or the part before the first invalid byte, which is reported.
pub(super) fn decode<'a>(file: FileId, bytes: &'a [u8], faults: &mut Vec<Fault>) -> &'a str {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error,
    };
    let start = error.valid_up_to();
    let end = error.error_len().map_or(bytes.len(), |length| start + length);
    faults.push(Fault { what: What::NotUtf8 { utf16: None }, place: Place::new(file, start..end) });
    std::str::from_utf8(&bytes[..start]).unwrap_or_default()
}

/// Reports lines that end in CR alone, if the file has no other line endings or they are above the body, and a mixture
/// of LF and CRLF. A lone CR in a body is harmless.
pub(super) fn check_line_ends(file: FileId, bytes: &[u8], body_start: usize, faults: &mut Vec<Fault>) {
    if bytes.find_byte(b'\r').is_none() {
        return;
    }
    let (mut lf, mut crlf) = (0, 0);
    let (mut first_lf, mut first_crlf, mut first_cr) = (None, None, None);
    for line in lines(bytes, 0) {
        match &bytes[line.end..line.next] {
            b"\n" => (lf, first_lf) = (lf + 1, first_lf.or(Some(line.end..line.next))),
            b"\r\n" => (crlf, first_crlf) = (crlf + 1, first_crlf.or(Some(line.end..line.next))),
            b"\r" => first_cr = first_cr.or(Some(line.end..line.next)),
            _ => {}
        }
    }
    if let Some(first) = first_cr.filter(|first| lf + crlf == 0 || first.start < body_start) {
        faults.push(Fault { what: What::CarriageReturns, place: Place::new(file, first) });
    }
    if let (Some(first_lf), Some(first_crlf)) = (first_lf, first_crlf) {
        let rarer = if lf < crlf { first_lf } else { first_crlf };
        faults.push(Fault { what: What::MixedLineEndings { lf, crlf }, place: Place::new(file, rarer) });
    }
}

/// Reports the first NUL of a file.
pub(super) fn check_nul(file: FileId, bytes: &[u8], faults: &mut Vec<Fault>) {
    if let Some(at) = bytes.find_byte(0) {
        faults.push(Fault { what: What::ControlCharacter('\0'), place: Place::new(file, at..at + 1) });
    }
}

/// Reports the first of each control character in the YAML at an offset of the file, and of each non-ASCII line
/// separator. Returns the YAML with each control replaced by a harmless character of the same length: the parser would
/// stop at the first one and hide other faults.
pub(super) fn check_controls<'a>(file: FileId, yaml: &'a str, offset: usize, faults: &mut Vec<Fault>) -> Cow<'a, str> {
    let usual = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if yaml.bytes().all(usual) {
        return Cow::Borrowed(yaml);
    }
    let mut seen = Vec::new();
    let mut replaced = false;
    for (at, character) in yaml.char_indices() {
        let what = match character {
            '\t' | '\n' | '\r' => continue,
            '\u{85}' | '\u{2028}' | '\u{2029}' => What::Unportable(Feature::LineBreak(character)),
            control if control.is_control() => {
                replaced = true;
                What::ControlCharacter(control)
            }
            _ => continue,
        };
        if !seen.contains(&character) {
            seen.push(character);
            if character != '\0' {
                let start = offset + at;
                faults.push(Fault { what, place: Place::new(file, start..start + character.len_utf8()) });
            }
        }
    }
    if replaced { Cow::Owned(yaml.chars().map(replacement).collect()) } else { Cow::Borrowed(yaml) }
}

/// Returns the replacement of a control character: of the same length, without meaning in YAML.
fn replacement(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => character,
        '\0'..='\u{1f}' | '\u{7f}' => '_',
        '\u{80}'..='\u{9f}' => '\u{a0}',
        _ => character,
    }
}
