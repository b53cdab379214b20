//! Characters written as JSON escapes them: `"\ud83d\udce7"`, the two halves of a surrogate pair. libyaml rejects a half.
//! Libraries of JavaScript and Python take each half as a character, and the two make the character again.

use std::borrow::Cow;

use crate::profile::reading::Family;

/// Returns whether a library joins the halves of a surrogate pair.
pub(super) fn joins(family: Family) -> bool {
    use Family::{Bun, JsYaml3, JsYaml4, Pyyaml, Strictyaml, VsCode, Yaml2};
    matches!(family, Bun | JsYaml3 | JsYaml4 | Yaml2 | Pyyaml | Strictyaml | VsCode)
}

/// Writes each pair of escapes as one escape of YAML, and a lone half as U+FFFD, as it is shown; Bun rejects a lone half.
/// Only double quotes make an escape: elsewhere the text stays as it is.
pub(super) fn joined(text: Cow<'_, str>, family: Family) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return text;
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = &*text;
    let mut is_quoted = false;
    while let Some(at) = rest.find(['"', '\\']) {
        let (before, from) = rest.split_at(at);
        whole.push_str(before);
        if let Some(after) = from.strip_prefix('"') {
            is_quoted = !is_quoted;
            whole.push('"');
            rest = after;
            continue;
        }
        let length = match half(from).filter(|_| is_quoted) {
            Some(high @ 0xd800..0xdc00) => match from.get(6..).and_then(half) {
                Some(low @ 0xdc00..0xe000) => {
                    let joined = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    whole.push_str(&format!("\\U{joined:08x}"));
                    12
                }
                _ => lone(&mut whole, from, family),
            },
            Some(0xdc00..0xe000) => lone(&mut whole, from, family),
            _ => {
                // The character after a backslash is part of the escape.
                let end = from.char_indices().nth(2).map_or(from.len(), |(end, _)| end);
                let end = if is_quoted { end } else { 1 };
                whole.push_str(&from[..end]);
                end
            }
        };
        rest = &from[length..];
    }
    whole.push_str(rest);
    Cow::Owned(whole)
}

fn lone(whole: &mut String, from: &str, family: Family) -> usize {
    whole.push_str(if family == Family::Bun { &from[..6] } else { "\\ufffd" });
    6
}

/// Returns the number of an escape with four digits at the start of a text.
fn half(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}
