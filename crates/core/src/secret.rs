//! Secrets: the formats of tokens and private keys, in one table. A rule reports issued secrets; output hides
//! everything that could be one.

use std::collections::BTreeSet;
use std::ops::Range;

/// The format of a token: its prefix, and the length that makes it one.
struct Shape {
    prefix: &'static str,
    /// What it is, with its article.
    title: &'static str,
    /// Minimum bytes after the prefix to hide it in output.
    hidden: usize,
    /// Minimum bytes after the prefix of an issued token.
    issued: usize,
    /// Bytes that may follow, in addition to letters and digits.
    more: &'static [u8],
    /// Whether the prefix is so common that it does not count inside a word, or without a digit or uppercase letter
    /// after it.
    common: bool,
}

const fn shape(prefix: &'static str, title: &'static str, hidden: usize, issued: usize, more: &'static [u8]) -> Shape {
    Shape { prefix, title, hidden, issued, more, common: false }
}

const GITHUB: &str = "a GitHub token";
const AWS: &str = "an AWS access key";
const SLACK: &str = "a Slack token";

/// Lengths of issued tokens according to their issuers and the gitleaks patterns.
const SHAPES: &[Shape] = &[
    shape("ghp_", GITHUB, 16, 36, b""),
    shape("gho_", GITHUB, 16, 36, b""),
    shape("ghu_", GITHUB, 16, 36, b""),
    shape("ghs_", GITHUB, 16, 36, b"_.-"),
    shape("ghr_", GITHUB, 16, 36, b""),
    shape("github_pat_", GITHUB, 16, 59, b"_"),
    shape("glpat-", "a GitLab token", 16, 20, b"_.-"),
    shape("AKIA", AWS, 16, 16, b""),
    shape("ASIA", AWS, 16, 16, b""),
    shape("xoxa-", SLACK, 10, 24, b"-"),
    shape("xoxb-", SLACK, 10, 24, b"-"),
    shape("xoxp-", SLACK, 10, 24, b"-"),
    shape("xoxr-", SLACK, 10, 24, b"-"),
    shape("xoxs-", SLACK, 10, 24, b"-"),
    shape("AIza", "a Google API key", 30, 35, b"_-"),
    shape("npm_", "an npm token", 30, 36, b""),
    shape("hf_", "a Hugging Face token", 30, 34, b""),
    shape("sk_live_", "a Stripe key", 16, 24, b""),
    Shape { prefix: "sk-", title: "an API key of a model vendor", hidden: 20, issued: 32, more: b"_-", common: true },
];

/// The armor of a private key.
const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_WORDS: &str = "PRIVATE KEY";
const KEY_END: &str = "-----END ";
const KEY_TITLE: &str = "a private key";
/// Bytes after a prefix that decide whether it starts a secret.
const HEAD_BYTES: usize = 64;
/// Characters of a full line of a private key (RFC 7468).
const KEY_LINE: usize = 64;
/// Minimum base64 characters after the armor; less is an illustration.
const KEY_BYTES: usize = 40;

/// Returns the prefixes of all secrets.
pub fn prefixes() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|shape| shape.prefix).chain([KEY_BEGIN])
}

/// Returns the range and kind of an issued secret that begins at an offset; `None` for placeholders:
/// `ghp_your_token_here`, `sk-xxxx`, `AKIAIOSFODNN7EXAMPLE`. For a private key the range is the first line.
pub(crate) fn issued_at(text: &[u8], start: usize) -> Option<(Range<usize>, &'static str)> {
    let rest = text.get(start..)?;
    if rest.starts_with(KEY_BEGIN.as_bytes()) {
        let armour = armour_end(rest)?;
        return holds_key(&rest[armour..]).then_some((start..start + armour, KEY_TITLE));
    }
    let (shape, end) = token(text, start)?;
    let after = &text[start + shape.prefix.len()..end];
    let is_word = start > 0 && (text[start - 1].is_ascii_alphanumeric() || b"_-".contains(&text[start - 1]));
    let is_issued = !is_word && after.len() >= shape.issued && !is_placeholder(after);
    is_issued.then_some((start..end, shape.title))
}

/// Returns the byte ranges that look like secrets: in order, disjoint, on character boundaries.
pub fn secrets(text: &[u8]) -> Vec<Range<usize>> {
    if is_key_line(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = if may_start(text[at]) { secret_end(text, at) } else { None };
        at = end.map_or(at + 1, |end| {
            found.push(at..end);
            end
        });
    }
    found
}

/// Returns whether a secret may start with a byte: a cheap filter.
fn may_start(byte: u8) -> bool {
    matches!(byte, b'g' | b'A' | b'x' | b'n' | b'h' | b's' | b'-')
}

fn secret_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..];
    if rest.starts_with(KEY_BEGIN.as_bytes()) {
        return key_end(rest).map(|end| start + end);
    }
    token(text, start).map(|(_, end)| end)
}

/// Returns the token that begins at an offset, and where it ends.
fn token(text: &[u8], start: usize) -> Option<(&'static Shape, usize)> {
    SHAPES.iter().find_map(|shape| {
        let tail = text[start..].strip_prefix(shape.prefix.as_bytes())?;
        let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || shape.more.contains(byte);
        // Only a token is followed to its end, so that a line of prefixes is scanned once.
        let head = &tail[..tail.iter().take(HEAD_BYTES).take_while(belongs).count()];
        let inside_word = start > 0 && text[start - 1].is_ascii_alphanumeric();
        let telling = head.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        let is_token = head.len() >= shape.hidden && (!shape.common || (telling && !inside_word));
        let bytes = if is_token { tail.iter().take_while(belongs).count() } else { 0 };
        is_token.then(|| (shape, start + shape.prefix.len() + bytes))
    })
}

/// Returns whether the text after a prefix is a placeholder: it contains a typical word, counts, repeats a character,
/// or has no digit or no letter.
fn is_placeholder(after: &[u8]) -> bool {
    const WORDS: [&str; 12] = [
        "example",
        "your",
        "token",
        "secret",
        "placeholder",
        "dummy",
        "fake",
        "sample",
        "test",
        "xxxx",
        "redacted",
        "here",
    ];
    let head = after[..after.len().min(HEAD_BYTES)].to_ascii_lowercase();
    let longest_run = |step: i16| {
        let runs = head.chunk_by(|&one, &next| i16::from(next) - i16::from(one) == step);
        runs.map(<[u8]>::len).max().unwrap_or_default()
    };
    let kinds = head.iter().collect::<BTreeSet<_>>().len();
    WORDS.iter().any(|word| find(&head, word).is_some())
        || longest_run(1) >= 6
        || longest_run(0) >= 5
        || kinds < 9
        || !head.iter().any(u8::is_ascii_digit)
        || !head.iter().any(u8::is_ascii_alphabetic)
}

/// Returns whether base64 of a key follows the armor's first line, in lines or with literal `
/// `.
fn holds_key(after: &[u8]) -> bool {
    let start =
        after.iter().position(|byte| !matches!(byte, b'\\' | b'n' | b'r' | b'\n' | b'\r' | b' ' | b'\t' | b'>'));
    let key = start.map_or(&[][..], |start| &after[start..]);
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let line = &key[..key.iter().take(KEY_LINE).take_while(belongs).count()];
    line.len() >= KEY_BYTES && !is_placeholder(line)
}

/// Returns where the first armor line of a private key ends.
fn armour_end(text: &[u8]) -> Option<usize> {
    let label = &text[KEY_BEGIN.len()..];
    let dashes = find(&label[..label.len().min(HEAD_BYTES)], "-----")?;
    find(&label[..dashes], KEY_WORDS)?;
    Some(KEY_BEGIN.len() + dashes + 5)
}

/// Returns where the armor of a private key ends: after its last line, or at the end of the text.
fn key_end(text: &[u8]) -> Option<usize> {
    let after_begin = armour_end(text)?;
    let Some(end) = find(&text[after_begin..], KEY_END) else { return Some(text.len()) };
    let label = after_begin + end + KEY_END.len();
    Some(find(&text[label..], "-----").map_or(text.len(), |dashes| label + dashes + 5))
}

/// Returns whether a line is part of a private key: full-width base64 that is not a hexadecimal hash.
fn is_key_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() == KEY_LINE
        && line.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        && line.iter().any(u8::is_ascii_uppercase)
        && line.iter().any(u8::is_ascii_lowercase)
        && line.iter().any(u8::is_ascii_digit)
}

fn find(text: &[u8], pattern: &str) -> Option<usize> {
    bstr::ByteSlice::find(text, pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_issued_secrets_from_placeholders() {
        let issued = |text: &str| issued_at(text.as_bytes(), 0).map(|(range, title)| (range.len(), title));
        assert_eq!(issued("ghp_8Kq2VbX7nLp0Rz4TfWc9Hs6JdYm3Ea5GuQ1o x"), Some((40, "a GitHub token")));
        assert_eq!(issued("AKIAQ3EGR7M2X5TPLW4K"), Some((20, "an AWS access key")));
        assert_eq!(issued("sk-proj-8Kq2VbX7nLp0Rz4TfWc9Hs6JdYm3Ea5G"), Some((40, "an API key of a model vendor")));
        for quiet in [
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_your_token_here",
            "ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "ghp_8Kq2VbX7",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-a-very-long-name-of-some-command-with-words",
            "sk-ant-api03-0000000000000000000000000000000000",
        ] {
            assert_eq!(issued(quiet), None, "{quiet}");
        }
    }

    #[test]
    fn requires_key_material_in_private_keys() {
        let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
        for between in ["\n", "\\n", "\r\n  "] {
            let text = format!("-----BEGIN RSA PRIVATE KEY-----{between}{line}{between}-----END RSA PRIVATE KEY-----");
            assert_eq!(issued_at(text.as_bytes(), 0).map(|(_, title)| title), Some("a private key"), "{text}");
        }
        for quiet in ["-----BEGIN PRIVATE KEY-----\nMIIE...\n-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----"]
        {
            assert_eq!(issued_at(quiet.as_bytes(), 0), None, "{quiet}");
        }
        let public = format!("-----BEGIN PUBLIC KEY-----\n{line}");
        assert_eq!(issued_at(public.as_bytes(), 0), None);
    }
}
