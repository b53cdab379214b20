//! What looks like a secret is shown as `[redacted]`. A linter's output ends up in logs and review tools that more
//! people read than the repository; whether there is a secret is for a secret scanner to say.

use std::borrow::Cow;
use std::ops::Range;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// The shape of a token: what it starts with, and how much of what follows makes it one.
struct Shape {
    prefix: &'static str,
    /// Bytes behind the prefix, at least.
    bytes: usize,
    /// What follows beside letters and digits.
    more: &'static [u8],
    /// Whether the prefix is too common a word to count inside another, or without a digit or capital behind it.
    common: bool,
}

const fn shape(prefix: &'static str, bytes: usize, more: &'static [u8]) -> Shape {
    Shape { prefix, bytes, more, common: false }
}

/// GitHub, GitLab, AWS, Slack, Google, npm, Hugging Face, Stripe, and the `sk-` of language model vendors.
const SHAPES: &[Shape] = &[
    shape("ghp_", 16, b""),
    shape("gho_", 16, b""),
    shape("ghu_", 16, b""),
    shape("ghs_", 16, b"_.-"),
    shape("ghr_", 16, b""),
    shape("github_pat_", 16, b"_"),
    shape("glpat-", 16, b"_.-"),
    shape("AKIA", 16, b""),
    shape("ASIA", 16, b""),
    shape("xoxa-", 10, b"-"),
    shape("xoxb-", 10, b"-"),
    shape("xoxp-", 10, b"-"),
    shape("xoxr-", 10, b"-"),
    shape("xoxs-", 10, b"-"),
    shape("AIza", 30, b"_-"),
    shape("npm_", 30, b""),
    shape("hf_", 30, b""),
    shape("sk_live_", 16, b""),
    Shape { prefix: "sk-", bytes: 20, more: b"_-", common: true },
];

/// The armour of a private key.
const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_WORDS: &str = "PRIVATE KEY";
const KEY_END: &str = "-----END ";
/// Bytes behind a prefix that decide whether it starts a secret.
const HEAD_BYTES: usize = 64;
/// Characters of a full line of a private key (RFC 7468).
const KEY_LINE: usize = 64;

/// A text without what looks like a secret.
pub fn text(text: &str) -> Cow<'_, str> {
    let secrets = secrets(text.as_bytes());
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut redacted = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in secrets {
        redacted.push_str(&text[copied..secret.start]);
        redacted.push_str(REDACTED);
        copied = secret.end;
    }
    redacted.push_str(&text[copied..]);
    Cow::Owned(redacted)
}

/// The bytes of a line or a message that look like secrets: in order, apart from each other, and never inside a
/// character.
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

/// Whether a secret may start with a byte: a cheap no for nearly all of them.
fn may_start(byte: u8) -> bool {
    matches!(byte, b'g' | b'A' | b'x' | b'n' | b'h' | b's' | b'-')
}

fn secret_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..];
    if rest.starts_with(KEY_BEGIN.as_bytes()) {
        return key_end(rest).map(|end| start + end);
    }
    SHAPES.iter().find_map(|shape| {
        let tail = rest.strip_prefix(shape.prefix.as_bytes())?;
        let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || shape.more.contains(byte);
        // Only what is a token is followed to its end, so that a line of nothing but prefixes is read once.
        let head = &tail[..tail.iter().take(HEAD_BYTES).take_while(belongs).count()];
        let inside_word = start > 0 && text[start - 1].is_ascii_alphanumeric();
        let telling = head.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        let is_token = head.len() >= shape.bytes && (!shape.common || (telling && !inside_word));
        let bytes = if is_token { tail.iter().take_while(belongs).count() } else { 0 };
        is_token.then(|| start + shape.prefix.len() + bytes)
    })
}

/// Where the armour of a private key ends: with its last line, or with the text.
fn key_end(text: &[u8]) -> Option<usize> {
    let label = &text[KEY_BEGIN.len()..];
    let dashes = find(&label[..label.len().min(HEAD_BYTES)], "-----")?;
    find(&label[..dashes], KEY_WORDS)?;
    let after_begin = KEY_BEGIN.len() + dashes + 5;
    let Some(end) = find(&text[after_begin..], KEY_END) else { return Some(text.len()) };
    let label = after_begin + end + KEY_END.len();
    Some(find(&text[label..], "-----").map_or(text.len(), |dashes| label + dashes + 5))
}

/// Whether a line is one of a private key's: nothing but base64 of the full width, and no mere hash in hexadecimal.
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
    fn tokens_are_redacted_and_words_are_not() {
        let alphanumeric = "0123456789abcdefABCDEF0123456789abcdefAB";
        for prefix in
            ["ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "AKIA", "xoxb-", "xoxp-", "AIza", "sk-", "sk-proj-"]
        {
            let line = format!("key: \"{prefix}{alphanumeric}\" # é");
            assert_eq!(text(&line), "key: \"[redacted]\" # é", "{prefix}");
        }
        for quiet in [
            "ghp_short",
            "desk-with-a-very-long-name-and-9-more-words",
            "sk-with-a-very-long-name-and-more-words",
            "3f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab9",
            "-----BEGIN PUBLIC KEY-----",
            "-----BEGIN CERTIFICATE-----",
        ] {
            assert_eq!(text(quiet), quiet);
        }
    }

    #[test]
    fn a_private_key_is_redacted_to_its_end() {
        let key = "a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b";
        assert_eq!(text(key), "a [redacted] b");
        assert_eq!(text("-----BEGIN PRIVATE KEY-----MIIE"), "[redacted]");
        assert_eq!(text("  MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"), "[redacted]");
    }
}
