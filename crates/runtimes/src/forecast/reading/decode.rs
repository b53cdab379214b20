//! Decoding of the bytes that were stored.

use bstr::ByteSlice;

use super::{End, View, decide};
use crate::forecast::reason::Reason;
use crate::profile::reading::{LineEndings, Mark, TextRule};
use skilltree_front_matter::FaultKind;
use skilltree_skills::skill::Skill;

/// Returns the bytes that were stored.
pub(super) fn bytes(skill: &Skill) -> Vec<u8> {
    let mut bytes = skill.header.to_vec();
    if let Some(after) = &skill.agreement.after_header {
        bytes.extend_from_slice(after);
    }
    bytes
}

/// Decodes the bytes that were stored.
pub(super) fn text(skill: &Skill, rule: &TextRule, view: &mut View<'_>) -> Result<String, End> {
    let bytes = bytes(skill);
    let mut text = match utf16(&bytes).filter(|_| rule.utf16) {
        Some(text) => text,
        None => {
            if skill.faults.iter().any(|fault| fault.kind() == FaultKind::NotUtf8) {
                decide(rule.not_utf8, Reason::NotUtf8, view)?;
            }
            bytes.to_str_lossy().into_owned()
        }
    };
    if rule.byte_order_mark == Some(Mark::Removed) && text.starts_with('\u{feff}') {
        text.remove(0);
    }
    if text.contains('\r') {
        match rule.line_endings {
            Some(LineEndings::Translated) => text = text.replace("\r\n", "\n").replace('\r', "\n"),
            Some(LineEndings::CrlfTranslated) => text = text.replace("\r\n", "\n"),
            Some(LineEndings::Splitlines) => text = text.replace("\r\n", "\n").replace('\r', "\n"),
            Some(LineEndings::Kept) | None => {}
        }
    }
    if rule.line_endings == Some(LineEndings::Splitlines) {
        const ENDS: [char; 8] = ['\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
        text = text.replace(ENDS, "\n");
    }
    Ok(text)
}

/// Decodes UTF-16 that begins with a byte order mark, which stays.
fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2)? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    String::from_utf16(&units).ok().filter(|_| rest.is_empty())
}
