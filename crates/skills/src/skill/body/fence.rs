//! A quick check for a code fence that is open at the end of a body.

use super::hints::{Hint, Kind};

/// An open fence.
struct Open {
    mark: u8,
    ticks: usize,
}

/// Returns whether the fences of a text may be unbalanced, so that the Markdown parser must decide.
pub(super) fn may_be_open(text: &str, hints: &[Hint]) -> bool {
    let bytes = text.as_bytes();
    let mut open: Option<Open> = None;
    let mut seen = 0;
    for hint in hints.iter().filter(|hint| hint.kind == Kind::Fence) {
        if hint.start < seen {
            continue;
        }
        let mark = bytes[hint.start];
        let ticks = bytes[hint.start..].iter().take_while(|&&byte| byte == mark).count();
        seen = hint.start + ticks;
        if !opens_line(&bytes[..hint.start]) {
            continue;
        }
        let rest = bytes[seen..].iter().take_while(|&&byte| byte != b'\n');
        match &open {
            Some(fence) if fence.mark == mark && ticks >= fence.ticks && rest.clone().all(u8::is_ascii_whitespace) => {
                open = None;
            }
            Some(_) => {}
            // Three backticks that are closed on the same line are inline code.
            None if mark == b'`' && rest.clone().any(|&byte| byte == b'`') => {}
            None => open = Some(Open { mark, ticks }),
        }
    }
    open.is_some()
}

/// Maximum bytes before a fence on its line: nested quotes and lists.
const INDENT_BYTES: usize = 64;

/// Returns whether only quote and list markers are between the start of the line and the end of a text.
fn opens_line(text: &[u8]) -> bool {
    let near = &text[text.len().saturating_sub(INDENT_BYTES)..];
    let before = near.iter().rev().take_while(|&&byte| byte != b'\n');
    let is_mark =
        |&byte: &u8| matches!(byte, b' ' | b'\t' | b'>' | b'-' | b'*' | b'+' | b'.' | b')') || byte.is_ascii_digit();
    before.clone().count() < INDENT_BYTES && before.clone().all(is_mark)
}

#[cfg(test)]
mod tests {
    use super::super::hints;
    use super::*;

    #[test]
    fn pairs_opening_and_closing_fences() {
        for (text, open) in [
            ("```sh\na\n```\n", false),
            ("```sh\na\n", true),
            ("````\n```\na\n````\n", false),
            ("~~~\n```\n~~~\n", false),
            ("Write ```a``` or `` ``` ``.\n", false),
            ("```a``` is code\n", false),
            ("> ```\n> a\n", true),
            ("1. ```\n   a\n   ```\n", false),
            ("```\n```sh\n", true),
        ] {
            assert_eq!(may_be_open(text, &hints::MARKS.find(text, 0).collect::<Vec<_>>()), open, "{text:?}");
        }
    }
}
