//! Conversion of a fence to a file.

use bstr::BString;

use skilltree_skills::source::{Content, Entry};

/// Creates a file from its path, the words after the path, and its text. A quoted path is unescaped.
pub(super) fn entry(path: &str, quoted: bool, words: &[&str], text: &str) -> Result<Entry, String> {
    let path = if quoted { unescaped(path)? } else { path.as_bytes().to_vec() };
    let mut bytes = if words.contains(&"escaped") { escaped_text(text)? } else { text.as_bytes().to_vec() };
    let mut make: fn(Vec<u8>) -> Content = Content::File;
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("escaped" | "before", "") => {}
            ("repeat", times) => {
                bytes = repeated(&bytes, times.parse().map_err(|_| format!("`{word}`: not a number"))?)
            }
            ("executable", "") => make = Content::Executable,
            ("link", "") => make = |target| Content::Link(BString::from(target.trim_ascii_end())),
            ("submodule", "") => make = |_| Content::Submodule,
            ("directory", "") => make = |_| Content::Directory,
            ("untracked", "") => make = Content::Untracked,
            ("ignored", "") => make = Content::Ignored,
            ("stage", _) => make = |_| Content::Unmerged,
            _ => return Err(format!("unknown word `{word}`; src/explain/example.rs lists them")),
        }
    }
    Ok(Entry { path: path.into(), content: make(bytes) })
}

fn repeated(bytes: &[u8], times: usize) -> Vec<u8> {
    let end = bytes.len().saturating_sub(1);
    let last = bytes[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    [&bytes[..last], &bytes[last..].repeat(times)].concat()
}

fn escaped_text(text: &str) -> Result<Vec<u8>, String> {
    let kept = match text.strip_suffix("\\\n") {
        Some(kept) if !kept.ends_with('\\') => kept,
        _ => text,
    };
    unescaped(kept)
}

fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let bad = || format!("unknown escape `\\{}`", escape.chars().take(8).collect::<String>());
        rest = escape.get(1..).ok_or_else(bad)?;
        match escape.as_bytes()[0] {
            b'r' => bytes.push(b'\r'),
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'0' => bytes.push(0),
            b'\\' => bytes.push(b'\\'),
            b'x' => {
                let digits = rest.get(..2).ok_or_else(bad)?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| bad())?);
                rest = &rest[2..];
            }
            b'u' => {
                let (digits, tail) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).ok_or_else(bad)?;
                let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(bad)?;
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = tail;
            }
            _ => return Err(bad()),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}
