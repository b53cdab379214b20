//! A new entry: whether it may be added, and the line that says it.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Knowledge, SECONDS_BETWEEN, hex};
use crate::text::FileId;

/// What somebody wants to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// What was learned, in words.
    pub content: String,
    /// What it is; one of [`super::CATEGORIES`].
    pub category: String,
    /// Who says so.
    pub contributor: String,
    /// What it holds for: `global`, or `task:ID`.
    pub scope: String,
    /// The task in which it was learned.
    pub task_ref: Option<String>,
    /// When, in seconds since 1970.
    pub created_at: i64,
}

/// Why an entry is not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The same content stands there for the same scope.
    Duplicate {
        /// The line, from 1.
        line: usize,
    },
    /// The contributor has added another one too short a time ago.
    TooFrequent {
        /// The line, from 1.
        line: usize,
        /// The seconds between the two.
        seconds: u64,
    },
}

/// An entry as it stands in the file; the order of the fields is the order of the keys.
#[derive(Serialize)]
struct Line<'a> {
    content: &'a str,
    category: &'a str,
    contributor: &'a str,
    scope: &'a str,
    task_ref: Option<&'a str>,
    created_at: String,
    content_hash: String,
}

impl New {
    /// Why it may not be added to what is there; `None` when it may.
    pub fn refusal(&self, knowledge: &Knowledge) -> Option<Refusal> {
        let mut entries = knowledge.entries.iter();
        let same = |entry: &&super::Entry| entry.content.value == self.content && entry.scope.value == self.scope;
        if let Some(entry) = entries.find(same) {
            return Some(Refusal::Duplicate { line: entry.line });
        }
        let own = knowledge.entries.iter().filter(|entry| entry.contributor.value == self.contributor);
        let mut near = own.map(|entry| (entry.line, entry.created_at.value.abs_diff(self.created_at)));
        let (line, seconds) = near.find(|&(_, seconds)| seconds < SECONDS_BETWEEN)?;
        Some(Refusal::TooFrequent { line, seconds })
    }

    /// Its line, with the line's end. `None` for a time that no calendar has.
    pub fn line(&self) -> Option<String> {
        let line = Line {
            content: &self.content,
            category: &self.category,
            contributor: &self.contributor,
            scope: &self.scope,
            task_ref: self.task_ref.as_deref(),
            created_at: jiff::Timestamp::from_second(self.created_at).ok()?.to_string(),
            content_hash: content_hash(&self.content, &self.scope),
        };
        Some(serde_json::to_string(&line).ok()? + "\n")
    }
}

/// The hash of an entry: SHA-256, in lower-case hexadecimal digits, over the content and then the scope, each as its length
/// in bytes of UTF-8, a big-endian number of eight bytes, and those bytes. With the lengths in front nothing of the one can
/// pass for a part of the other.
pub fn content_hash(content: &str, scope: &str) -> String {
    let mut digest = Sha256::new();
    for part in [content, scope] {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    hex(digest)
}

/// Where the last line begins, when it has no end; and whether it is a whole entry all the same.
pub fn torn(bytes: &[u8]) -> Option<(usize, bool)> {
    if bytes.is_empty() || bytes.ends_with(b"\n") {
        return None;
    }
    let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |feed| feed + 1);
    Some((start, Knowledge::parse(FileId(0), &bytes[start..]).entries.len() == 1))
}
