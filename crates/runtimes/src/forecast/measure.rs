//! Length and truncation of a text in the unit of a runtime.

use crate::profile::listing::{Limit, Unit};
use skilltree_front_matter::text;

/// Returns the length of a text if it exceeds a limit. Texts whose byte length is within the limit need no counting.
pub(super) fn over(text: &str, limit: &Limit) -> Option<u64> {
    if text.len() as u64 <= limit.maximum && !matches!(limit.unit, Unit::Lines) {
        return None;
    }
    let length = length(text, limit.unit);
    (length > limit.maximum).then_some(length)
}

/// Returns the length of a text in a unit.
pub(super) fn length(text: &str, unit: Unit) -> u64 {
    let length = match unit {
        Unit::Chars => text.chars().count(),
        Unit::Utf16 => text.chars().map(char::len_utf16).sum(),
        Unit::Bytes => text.len(),
        Unit::Tokens => return tokens(text.len() as u64),
        Unit::Lines => text.lines().count(),
        Unit::Count => text::length(text).chars,
    };
    length as u64
}

/// Estimates tokens as the runtimes do: a quarter of the bytes.
pub(super) fn tokens(bytes: u64) -> u64 {
    bytes.div_ceil(4)
}

/// Truncates a text to a limit and puts a notice in its middle. The start gets the odd character.
pub(super) fn cut_middle(text: &str, limit: &Limit, notice: &str) -> String {
    let most = usize::try_from(limit.maximum).unwrap_or(usize::MAX);
    let Some(left) = most.checked_sub(notice.chars().count()).filter(|left| *left > 0) else {
        return notice.chars().take(most).collect();
    };
    let (head, tail) = (left.div_ceil(2), left / 2);
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(text.chars().count().saturating_sub(tail)).collect();
    [start.as_str(), notice, &end].concat()
}

/// Truncates a text to a limit, including the suffix of a truncated text. If the limit divides a surrogate pair, its first
/// half is shown as U+FFFD.
pub(super) fn cut(text: &str, limit: &Limit) -> String {
    let room = limit.maximum.saturating_sub(length(&limit.ends_with, limit.unit));
    let mut taken = 0;
    let end = text.char_indices().find_map(|(at, character)| {
        let before = taken;
        taken += match limit.unit {
            Unit::Utf16 => character.len_utf16() as u64,
            Unit::Bytes => character.len_utf8() as u64,
            _ => 1,
        };
        (taken > room).then_some((at, limit.unit == Unit::Utf16 && before < room))
    });
    let (end, is_divided) = end.unwrap_or((text.len(), false));
    let half = if is_divided && !limit.whole { "\u{fffd}" } else { "" };
    format!("{}{half}{}", &text[..end], limit.ends_with)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::listing::Measured;
    use crate::profile::{Handling, Verdict};

    fn limit(unit: Unit, maximum: u64, ends_with: &str) -> Limit {
        let over_limit = Verdict { handling: Handling::Truncates, reported: None };
        Limit {
            of: Measured::Description,
            unit,
            maximum,
            over_limit,
            ends_with: ends_with.to_owned(),
            middle: None,
            whole: false,
        }
    }

    #[test]
    fn cuts_the_middle_out() {
        let limit = limit(Unit::Chars, 10, "");
        assert_eq!(cut_middle("abcdefghijklmnop", &limit, "<cut>"), "abc<cut>op");
        assert_eq!(cut_middle("abcdefghijklmnop", &limit, "<longer than it>"), "<longer th");
    }

    #[test]
    fn truncates_in_the_unit_of_the_limit() {
        assert_eq!(over("😀😀", &limit(Unit::Chars, 2, "")), None);
        assert_eq!(over("😀😀", &limit(Unit::Utf16, 3, "")), Some(4));
        assert_eq!(over("abc", &limit(Unit::Bytes, 3, "")), None);
        assert_eq!(cut("😀😀😀", &limit(Unit::Chars, 2, "")), "😀😀");
        assert_eq!(cut("😀😀😀", &limit(Unit::Utf16, 3, "")), "😀\u{fffd}");
        assert_eq!(cut("😀😀😀", &limit(Unit::Utf16, 4, "")), "😀😀");
        assert_eq!(cut("abcdef", &limit(Unit::Chars, 5, "...")), "ab...");
    }
}
