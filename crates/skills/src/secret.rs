//! Secrets: the formats of tokens and private keys, in one table. Rules report issued secrets; output hides everything
//! that could be one.

mod placeholder;
mod shapes;
mod url;

use std::ops::Range;
use std::sync::LazyLock;

use placeholder::{HEAD_BYTES, is_documented, is_placeholder};
use shapes::{Part, SHAPES, Shape};

/// The armor of a private key.
pub(crate) const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_WORDS: &str = "PRIVATE KEY";
const KEY_END: &str = "-----END ";
const KEY_TITLE: &str = "a private key";
/// Characters of a full line of a private key (RFC 7468).
const KEY_LINE: usize = 64;
/// Minimum base64 characters after the armor; less is an illustration.
const KEY_BYTES: usize = 40;

/// A secret that is not a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Issued {
    /// Its bytes. For a private key the first line.
    pub range: Range<usize>,
    /// What it is.
    pub kind: SecretKind,
}

/// The kind of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretKind {
    /// What it is, with its article.
    pub title: &'static str,
    /// Whether it has the exact format that its issuer gives its tokens.
    pub exact: bool,
}

/// Minimum bytes without whitespace that a secret contains, or that follow its word. Text between shorter ones has no secret but
/// private keys.
const SOLID_BYTES: usize = 16;

/// Maximum bytes from the start of a word to those bytes, and of words that overlap (ours: 64). The longest word has 21, and at most
/// eight follow it before its value.
const BEFORE_BYTES: usize = 64;

/// Returns the ranges of a text that can have an issued secret other than a private key: in order, disjoint.
pub(crate) fn candidates(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut solid = solids(text).peekable();
    std::iter::from_fn(move || {
        let first = solid.next()?;
        let (start, mut end) = (first.start.saturating_sub(BEFORE_BYTES), first.end);
        while let Some(next) = solid.next_if(|next| next.start <= end + BEFORE_BYTES) {
            end = next.end;
        }
        Some(start..end)
    })
}

/// Returns the ranges of at least [`SOLID_BYTES`] without whitespace. A window of this size is skipped up to its last whitespace.
fn solids(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let is_space = u8::is_ascii_whitespace;
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let window = text.get(at..at + SOLID_BYTES)?;
            let Some(last) = window.iter().rposition(is_space) else { break };
            at += last + 1;
        }
        let (start, rest) = (at, &text[at + SOLID_BYTES..]);
        at += SOLID_BYTES + rest.iter().position(is_space).unwrap_or(rest.len());
        Some(start..at)
    })
}

/// Returns the words with which secrets begin other than private keys, or which their middle contains, sorted. None is a prefix of
/// another.
pub(crate) fn words() -> Vec<&'static str> {
    let mut words: Vec<&str> = all_words().filter(|word| *word != KEY_BEGIN).collect();
    words.sort_unstable();
    // A word comes right before those that begin with it.
    words.dedup_by(|word, before| word.starts_with(*before));
    words
}

fn all_words() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().flat_map(|shape| shape.prefixes).copied().chain([KEY_BEGIN, url::MARK])
}

/// Returns the issued secret at the offset of a word; `None` for placeholders: `ghp_your_token_here`, `sk-xxxx`,
/// `AKIAIOSFODNN7EXAMPLE`.
pub(crate) fn issued_at(text: &[u8], at: usize) -> Option<Issued> {
    let rest = text.get(at..)?;
    if rest.starts_with(KEY_BEGIN.as_bytes()) {
        let armor = armor_end(rest)?;
        let kind = SecretKind { title: KEY_TITLE, exact: true };
        return holds_key(&rest[armor..]).then_some(Issued { range: at..at + armor, kind });
    }
    if rest.starts_with(url::MARK.as_bytes()) {
        let url = url::at(text, at).filter(|url| !url.is_example)?;
        return Some(Issued { range: url.range, kind: SecretKind { title: url::TITLE, exact: false } });
    }
    let mut issued = shapes_at(text, at).filter_map(|(shape, prefix)| shape.issued(text, at, prefix));
    let first = issued.next()?;
    if first.kind.exact { Some(first) } else { issued.find(|other| other.kind.exact).or(Some(first)) }
}

/// Returns the byte ranges that look like secrets: in order, disjoint, on character boundaries.
pub fn secrets(text: &[u8]) -> Vec<Range<usize>> {
    if is_key_line(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let range = if FIRST_BYTES[usize::from(text[at])] { hidden_at(text, at) } else { None };
        let known = found.last().map_or(0, |last| last.end);
        at = range.map_or(at + 1, |range| {
            let end = range.end;
            found.push(range.start.max(known)..end);
            end
        });
    }
    found
}

/// The bytes with which a word begins: a cheap filter.
static FIRST_BYTES: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut first = [false; 256];
    all_words().for_each(|word| first[usize::from(word.as_bytes()[0])] = true);
    first
});

/// Returns the range to hide for a word at an offset.
fn hidden_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &text[at..];
    if rest.starts_with(KEY_BEGIN.as_bytes()) {
        return key_end(rest).map(|end| at..at + end);
    }
    if rest.starts_with(url::MARK.as_bytes()) {
        return url::at(text, at).map(|url| url.password);
    }
    shapes_at(text, at).find_map(|(shape, prefix)| shape.hidden(text, at, prefix))
}

/// Returns the shapes with a word at an offset.
fn shapes_at(text: &[u8], at: usize) -> impl Iterator<Item = (&'static Shape, &'static str)> {
    SHAPES.iter().filter_map(move |shape| {
        let is_there = |prefix: &&&str| prefix.as_bytes()[0] == text[at] && text[at..].starts_with(prefix.as_bytes());
        shape.prefixes.iter().find(is_there).map(|prefix| (shape, *prefix))
    })
}

impl Shape {
    /// Returns the range to hide for a prefix at an offset.
    fn hidden(&self, text: &[u8], at: usize, prefix: &str) -> Option<Range<usize>> {
        let tail = &text[at + prefix.len()..];
        let after = at + prefix.len();
        let start = at - (self.lead)(&text[..at])?;
        if self.hidden == usize::MAX {
            // In a line of prefixes, only the first one is followed.
            let is_apart = start == 0 || !continues(text[start - 1]);
            return if is_apart { self.form(tail).map(|length| start..after + length) } else { None };
        }
        let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || self.more.contains(byte);
        // Only a token is followed to its end, so that a line of prefixes is scanned once.
        let head = &tail[..tail.iter().take(HEAD_BYTES).take_while(belongs).count()];
        let inside_word = start > 0 && text[start - 1].is_ascii_alphanumeric();
        let is_usual = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
        let is_token = head.len() >= self.hidden && (!self.common || (head.iter().any(is_usual) && !inside_word));
        is_token.then(|| start..after + tail.iter().take_while(belongs).count())
    }

    /// Returns the issued token with a prefix at an offset.
    fn issued(&self, text: &[u8], at: usize, prefix: &str) -> Option<Issued> {
        let after = at + prefix.len();
        let start = at - (self.lead)(&text[..at])?;
        if start > 0 && continues(text[start - 1]) {
            return None;
        }
        let tail = &text[after..];
        let kind = |exact| SecretKind { title: self.title, exact };
        if let Some(length) = self.form(tail)
            && !is_placeholder(&tail[..length], true)
            && !is_documented(&text[start..after + length])
        {
            return Some(Issued { range: start..after + length, kind: kind(self.exact) });
        }
        if self.loose == usize::MAX {
            return None;
        }
        let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || self.more.contains(byte);
        let run = &tail[..tail.iter().take_while(belongs).count()];
        let end = after + run.len();
        let is_issued = run.len() >= self.loose && !is_placeholder(run, false) && !is_documented(&text[start..end]);
        is_issued.then(|| Issued { range: start..end, kind: kind(false) })
    }

    /// Returns the length of a token in the exact format, after its prefix.
    fn form(&self, tail: &[u8]) -> Option<usize> {
        self.forms.iter().find_map(|form| {
            let mut length = 0;
            for part in *form {
                let rest = &tail[length..];
                length += match *part {
                    Part::Word(word) => rest.starts_with(word.as_bytes()).then_some(word.len())?,
                    Part::Run(class, least, most) => {
                        let run = rest.iter().take(most).take_while(|&&byte| class(byte)).count();
                        (run >= least).then_some(run)?
                    }
                };
            }
            tail.get(length).is_none_or(|&byte| !continues(byte)).then_some(length)
        })
    }
}

/// Returns whether a byte before or after a token makes it a part of a longer word.
fn continues(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns whether base64 of a key follows the armor's first line, in lines or with literal `\n`.
fn holds_key(after: &[u8]) -> bool {
    let start =
        after.iter().position(|byte| !matches!(byte, b'\\' | b'n' | b'r' | b'\n' | b'\r' | b' ' | b'\t' | b'>'));
    let key = start.map_or(&[][..], |start| &after[start..]);
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let line = &key[..key.iter().take(KEY_LINE).take_while(belongs).count()];
    line.len() >= KEY_BYTES && !is_placeholder(line, false)
}

/// Returns where the first armor line of a private key ends.
fn armor_end(text: &[u8]) -> Option<usize> {
    let label = &text[KEY_BEGIN.len()..];
    let dashes = find(&label[..label.len().min(HEAD_BYTES)], "-----")?;
    find(&label[..dashes], KEY_WORDS)?;
    Some(KEY_BEGIN.len() + dashes + 5)
}

/// Returns where the armor of a private key ends: after its last line, or at the end of the text.
fn key_end(text: &[u8]) -> Option<usize> {
    let after_begin = armor_end(text)?;
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
mod tests;
