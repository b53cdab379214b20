//! Detection of the block in a WORKFLOW.md that cannot be parsed.

use bstr::ByteSlice;

/// Returns whether an unreadable front matter seems to hold the block: a line `agent:` with `skills:` on it or indented
/// below it, or both words in a flow mapping or another notation where keys need not begin a line. A file without an
/// opening fence has no front matter.
pub(super) fn seems_to_have_block(bytes: &[u8]) -> bool {
    let bytes = unescaped(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut lines = bytes.lines().skip_while(|line| line.trim().is_empty());
    if !lines.next().is_some_and(|line| line.trim_start().starts_with(b"---")) {
        return false;
    }
    let lines: Vec<&[u8]> = lines.take_while(|line| line.trim_end() != b"---").collect();
    let holds = |word: &[u8]| lines.iter().any(|line| line.contains_str(word));
    let is_odd = |line: &&[u8]| line.trim_start().first().is_some_and(|first| b"{?!&*".contains(first));
    if lines.iter().any(is_odd) && holds(b"agent") && holds(b"skills") {
        return true;
    }
    let mut within_agent = false;
    for line in lines {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        if text.len() == line.len() {
            within_agent = is_key(text, b"agent");
            if within_agent && text.contains_str("skills") {
                return true;
            }
        } else if within_agent && is_key(text, b"skills") {
            return true;
        }
    }
    false
}

fn is_key(line: &[u8], key: &[u8]) -> bool {
    let unquoted = line.trim_start_with(|c| matches!(c, '"' | '\''));
    unquoted
        .strip_prefix(key)
        .map(|rest| rest.trim_start_with(|c| matches!(c, '"' | '\'' | ' ')))
        .is_some_and(|rest| rest.starts_with(b":"))
}

/// Replaces escapes of ASCII characters in double-quoted strings: `"sk\u0069lls"` becomes `"skills"`.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let escape = (first == b'\\').then(|| escape(tail)).flatten();
        let (byte, next) = escape.unwrap_or((first, tail));
        plain.push(byte);
        rest = next;
    }
    plain
}

/// Reads a numeric escape after a backslash, and returns the ASCII character and the remaining bytes (YAML 1.2, chapter
/// 5.7).
fn escape(rest: &[u8]) -> Option<(u8, &[u8])> {
    let (kind, digits) = rest.split_first()?;
    let count = match kind {
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let (digits, rest) = digits.split_at_checked(count)?;
    let number = u32::from_str_radix(digits.to_str().ok()?, 16).ok()?;
    u8::try_from(number).ok().filter(u8::is_ascii_graphic).map(|byte| (byte, rest))
}
