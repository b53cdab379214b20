//! knowledge.jsonl: what agents learned, one entry per line, in an append-only file (RFC-009, Shared Knowledge).

use std::ops::Range;

use bstr::ByteSlice;
use sha2::{Digest, Sha256};

use super::Fault;
use super::json::{Key, Value};
use crate::snapshot::File;
use skilltree_front_matter::text::{self, FileId, Place, Spanned};

mod entry;

pub use entry::{New, Refusal, content_hash, torn};

/// Path of the file from the repository's root.
pub const KNOWLEDGE: &str = ".agent/knowledge.jsonl";

/// Categories of an entry (RFC-009, Proposed Knowledge Entries).
pub const CATEGORIES: [&str; 4] = ["pattern", "gotcha", "convention", "tip"];

/// Maximum lines that are read (ours: 200,000). A valid entry has over 150 bytes, so a file within its limit of bytes has fewer.
pub(crate) const LINES: usize = 200_000;

/// Minimum seconds between two entries of one contributor (RFC-009, Deduplication).
pub const SECONDS_BETWEEN: u64 = 30;

/// The keys of an entry in order; all but `task_ref` are required.
const KEYS: [&str; 7] = ["content", "category", "contributor", "scope", "task_ref", "created_at", "content_hash"];

/// The knowledge file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The file.
    pub file: FileId,
    /// The entries in the order of the file.
    pub entries: Vec<KnowledgeEntry>,
    /// The places and content hashes of the lines in order, without blank lines.
    pub lines: Vec<Spanned<[u8; 16]>>,
    /// Errors in the file, in its order.
    pub faults: Vec<Fault>,
}

/// A knowledge entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnowledgeEntry {
    /// Its line number, from 1.
    pub line: usize,
    /// What was learned.
    pub content: Spanned<String>,
    /// Its category; one of [`CATEGORIES`] in a valid entry.
    pub category: Spanned<String>,
    /// The agent that wrote it.
    pub contributor: Spanned<String>,
    /// Its scope: `global`, or `task:ID`.
    pub scope: Spanned<String>,
    /// The task in which it was learned, if any.
    pub task_ref: Option<String>,
    /// When it was written, in seconds since 1970.
    pub created_at: Spanned<i64>,
    /// The hash in the file.
    pub content_hash: Spanned<String>,
}

impl KnowledgeEntry {
    /// Returns the hash that the content and scope must have.
    pub fn hash(&self) -> String {
        content_hash(&self.content.value, &self.scope.value)
    }

    /// Returns whether its category is known and its hash matches.
    pub fn is_valid(&self) -> bool {
        CATEGORIES.contains(&self.category.value.as_str()) && self.content_hash.value == self.hash()
    }

    /// Returns whether the entry applies to a task; without a task, whether it is global.
    pub fn holds_for(&self, task: Option<&str>) -> bool {
        self.scope.value == "global" || (task.is_some() && self.scope.value.strip_prefix("task:") == task)
    }
}

impl Knowledge {
    /// Reads the file. Invalid lines are reported and skipped.
    pub fn read(id: FileId, file: &File) -> Self {
        match super::bytes(id, file) {
            Ok(bytes) => Self::parse(id, bytes),
            Err(fault) => Self { faults: vec![fault], ..Self::empty(id) },
        }
    }

    /// Returns a file without entries.
    pub fn empty(file: FileId) -> Self {
        Self { file, entries: Vec::new(), lines: Vec::new(), faults: Vec::new() }
    }

    /// Parses the bytes of the file. A line that is not UTF-8 is reported and skipped.
    pub fn parse(id: FileId, bytes: &[u8]) -> Self {
        let mut knowledge = Self::empty(id);
        let mut start = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let place = |range: Range<usize>| Place::new(id, range);
            let whole = line.trim_end_with(|end| matches!(end, '\n' | '\r'));
            if knowledge.lines.len() == LINES {
                let message = format!(
                    "the file has more than {} lines; this one and those after it were not read",
                    text::grouped(LINES)
                );
                // The first one, so that it is listed whatever the number of the others is.
                let help = "remove lines that are not needed any more";
                knowledge.faults.insert(0, Fault::new(place(start..start + whole.len()), message, help));
                break;
            }
            if !whole.trim().is_empty() {
                let digest = text::digest(whole);
                knowledge.lines.push(Spanned { value: digest, place: place(start..start + whole.len()) });
                let mut reader = Reader { file: id, faults: &mut knowledge.faults };
                knowledge.entries.extend(reader.entry(whole, start, number));
            }
            start += line.len();
            if !line.ends_with(b"\n") {
                let message = "the last line has no line feed, so it may be incomplete";
                let help = "add a line feed if the line is complete, otherwise remove it; `skilltree agent knowledge add` does this";
                let last = line.char_indices().next_back().map_or(1, |(from, to, _)| to - from);
                knowledge.faults.push(Fault::new(place(start - last..start), message, help));
            }
        }
        knowledge
    }

    /// Returns the place of the first changed line; the end of the file if lines were removed. `None` if lines were
    /// only appended.
    pub fn rewritten(&self, before: &Self) -> Option<(usize, Place)> {
        let number = before
            .lines
            .iter()
            .enumerate()
            .position(|(number, line)| self.lines.get(number).is_none_or(|own| own.value != line.value))?;
        let place = self.lines.get(number).or(self.lines.last()).map_or(Place::whole(self.file), |line| line.place);
        Some((number, place))
    }
}

/// Collects faults while reading.
struct Reader<'k> {
    file: FileId,
    faults: &'k mut Vec<Fault>,
}

impl Reader<'_> {
    /// Returns the entry of a line; `None` if it is invalid.
    fn entry(&mut self, line: &[u8], start: usize, number: usize) -> Option<KnowledgeEntry> {
        const HELP: &str = "write the entry again with `skilltree agent knowledge add`, or remove it";
        let line = match line.to_str() {
            Ok(line) => line,
            Err(error) => {
                let range = super::not_utf8(&error, start);
                return self.fault(range, "the line is not UTF-8".to_owned(), HELP);
            }
        };
        let value = match Value::parse(line, start) {
            Ok(value) => value,
            Err(mistake) => {
                return self.fault(mistake.range, format!("the line is not JSON: {}", mistake.message), HELP);
            }
        };
        let Some(members) = value.members() else {
            return self.fault(value.range(), format!("an entry is {}, not an object", value.kind()), HELP);
        };
        self.known_once(&members)?;
        let mut text = |key: &str| {
            let Some((_, value)) = members.iter().find(|(known, _)| known.text == key) else {
                return self.fault(value.range(), format!("the entry has no `{key}`"), HELP);
            };
            match value.text().filter(|text| !text.trim().is_empty()) {
                Some(text) => Some(Spanned { value: text, place: Place::new(self.file, value.range()) }),
                None => {
                    let what = if value.text().is_some() { "empty" } else { value.kind() };
                    self.fault(value.range(), format!("`{key}` is {what}, not a string"), HELP)
                }
            }
        };
        let (content, category, contributor) = (text("content")?, text("category")?, text("contributor")?);
        let (scope, created_at, content_hash) = (text("scope")?, text("created_at")?, text("content_hash")?);
        let task_ref = match members.iter().find(|(key, _)| key.text == "task_ref") {
            Some((_, value)) if value.kind() != "null" => Some(text("task_ref")?.value),
            _ => None,
        };
        if !is_scope(&scope.value) {
            let message = format!("`{}` is not a valid scope", text::shortened(&scope.value, 64));
            return self.fault(scope.place.range(), message, "write `global`, or `task:` followed by the id of a task");
        }
        let Ok(moment) = created_at.value.parse::<jiff::Timestamp>() else {
            let message = "`created_at` is not a valid time".to_owned();
            return self.fault(created_at.place.range(), message, "write it as 2026-11-20T12:00:00Z");
        };
        let created_at = Spanned { value: moment.as_second(), place: created_at.place };
        Some(KnowledgeEntry { line: number, content, category, contributor, scope, task_ref, created_at, content_hash })
    }

    /// Reports duplicate and unknown keys.
    fn known_once(&mut self, members: &[(Key, Value<'_>)]) -> Option<()> {
        for (number, (key, _)) in members.iter().enumerate() {
            let shown = text::shortened(&key.text, 64);
            if !KEYS.contains(&key.text.as_str()) {
                return self.fault(key.range.clone(), format!("unknown key `{shown}`"), "remove it");
            }
            if members[..number].iter().any(|(other, _)| other.text == key.text) {
                return self.fault(key.range.clone(), format!("duplicate key `{shown}`"), "remove one of the two");
            }
        }
        Some(())
    }

    fn fault<T>(&mut self, range: Range<usize>, message: String, help: &str) -> Option<T> {
        self.faults.push(Fault::new(Place::new(self.file, range), message, help));
        None
    }
}

/// Returns whether a text is a valid scope.
pub fn is_scope(scope: &str) -> bool {
    scope == "global" || scope.strip_prefix("task:").is_some_and(|id| !id.trim().is_empty())
}

/// Formats a digest in lowercase hexadecimal digits.
fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
