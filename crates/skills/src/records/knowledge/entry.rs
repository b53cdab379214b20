//! New entries: whether one may be added, and its line.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Knowledge, SECONDS_BETWEEN, hex};
use skilltree_front_matter::text::FileId;

/// An entry to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// What was learned.
    pub content: String,
    /// Its category; one of [`super::CATEGORIES`].
    pub category: String,
    /// The agent that writes it.
    pub contributor: String,
    /// Its scope: `global`, or `task:ID`.
    pub scope: String,
    /// The task in which it was learned, if any.
    pub task_ref: Option<String>,
    /// When it is written, in seconds since 1970.
    pub created_at: i64,
}

/// Why an entry is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The file has the same content with the same scope.
    Duplicate {
        /// The line number, from 1.
        line: usize,
    },
    /// The contributor added an entry less than [`super::SECONDS_BETWEEN`] ago.
    TooFrequent {
        /// The line number, from 1.
        line: usize,
        /// The seconds between the two.
        seconds: u64,
    },
}

/// An entry as it is serialized; the field order is the key order.
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
    /// Returns why the entry may not be added; `None` if it may.
    pub fn refusal(&self, knowledge: &Knowledge) -> Option<Refusal> {
        let mut entries = knowledge.entries.iter();
        let same =
            |entry: &&super::KnowledgeEntry| entry.content.value == self.content && entry.scope.value == self.scope;
        if let Some(entry) = entries.find(same) {
            return Some(Refusal::Duplicate { line: entry.line });
        }
        let own = knowledge.entries.iter().filter(|entry| entry.contributor.value == self.contributor);
        let mut near = own.map(|entry| (entry.line, entry.created_at.value.abs_diff(self.created_at)));
        let (line, seconds) = near.find(|&(_, seconds)| seconds < SECONDS_BETWEEN)?;
        Some(Refusal::TooFrequent { line, seconds })
    }

    /// Returns its line with the line ending. `None` if the time is out of range.
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

/// Content hash: SHA-256 in lowercase hexadecimal digits over the content, then the scope. Each is preceded by its
/// length in bytes of UTF-8 as a big-endian `u64`, so that the two cannot be confused.
pub fn content_hash(content: &str, scope: &str) -> String {
    let mut digest = Sha256::new();
    for part in [content, scope] {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    hex(digest)
}

/// Returns where the last line begins if it has no line ending, and whether it is a complete entry.
pub fn torn(bytes: &[u8]) -> Option<(usize, bool)> {
    if bytes.is_empty() || bytes.ends_with(b"\n") {
        return None;
    }
    let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |feed| feed + 1);
    Some((start, Knowledge::parse(FileId(0), &bytes[start..]).entries.len() == 1))
}
