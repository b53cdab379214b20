//! knowledge.jsonl: what agents learned, an entry a line, in a file that only grows (RFC-009, Shared Knowledge).

use std::ops::Range;

use bstr::ByteSlice;
use sha2::{Digest, Sha256};

use super::Fault;
use super::json::{Key, Value};
use crate::snapshot::File;
use crate::text::{self, FileId, Place, Spanned};

mod entry;

pub use entry::{New, Refusal, content_hash, torn};

/// Where the file stands, from the repository's root.
pub const KNOWLEDGE: &str = ".agent/knowledge.jsonl";

/// What an entry can be (RFC-009, Proposed Knowledge Entries).
pub const CATEGORIES: [&str; 4] = ["pattern", "gotcha", "convention", "tip"];

/// Seconds that lie between two entries of one contributor at least (RFC-009, Deduplication).
pub const SECONDS_BETWEEN: u64 = 30;

/// The keys of an entry in their order; all but `task_ref` must be there.
const KEYS: [&str; 7] = ["content", "category", "contributor", "scope", "task_ref", "created_at", "content_hash"];

/// What agents learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The file.
    pub file: FileId,
    /// The entries in the order of the file.
    pub entries: Vec<Entry>,
    /// The lines in their order, blank ones left out: where each stands, and what tells its text from others.
    pub lines: Vec<Spanned<[u8; 16]>>,
    /// What is wrong with the file, in its order.
    pub faults: Vec<Fault>,
}

/// What an agent learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its line, from 1.
    pub line: usize,
    /// What was learned, in words.
    pub content: Spanned<String>,
    /// What it is; one of [`CATEGORIES`] where nothing is wrong.
    pub category: Spanned<String>,
    /// Who says so.
    pub contributor: Spanned<String>,
    /// What it holds for: `global`, or `task:ID`.
    pub scope: Spanned<String>,
    /// The task in which it was learned.
    pub task_ref: Option<String>,
    /// When it was written, in seconds since 1970.
    pub created_at: Spanned<i64>,
    /// The hash that it carries.
    pub content_hash: Spanned<String>,
}

impl Entry {
    /// The hash that it has to carry.
    pub fn hash(&self) -> String {
        content_hash(&self.content.value, &self.scope.value)
    }

    /// Whether it is as it was written: its category is known, and its hash is its own.
    pub fn is_sound(&self) -> bool {
        CATEGORIES.contains(&self.category.value.as_str()) && self.content_hash.value == self.hash()
    }

    /// Whether it holds for a task; without one only what holds for all.
    pub fn holds_for(&self, task: Option<&str>) -> bool {
        self.scope.value == "global" || (task.is_some() && self.scope.value.strip_prefix("task:") == task)
    }
}

impl Knowledge {
    /// Reads the file. What is wrong in one line is left out, and the rest stands.
    pub fn read(id: FileId, file: &File) -> Self {
        match super::bytes(id, file) {
            Ok(bytes) => Self::parse(id, bytes),
            Err(fault) => Self { faults: vec![fault], ..Self::empty(id) },
        }
    }

    /// A file that holds nothing.
    pub fn empty(file: FileId) -> Self {
        Self { file, entries: Vec::new(), lines: Vec::new(), faults: Vec::new() }
    }

    /// Reads the bytes of the file. A line that is not UTF-8 is no entry, and says nothing against the others.
    pub fn parse(id: FileId, bytes: &[u8]) -> Self {
        let mut knowledge = Self::empty(id);
        let mut start = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let place = |range: Range<usize>| Place::new(id, range);
            let whole = line.trim_end_with(|end| matches!(end, '\n' | '\r'));
            if !whole.trim().is_empty() {
                let digest = text::digest(whole);
                knowledge.lines.push(Spanned { value: digest, place: place(start..start + whole.len()) });
                let mut reader = Reader { file: id, faults: &mut knowledge.faults };
                knowledge.entries.extend(reader.entry(whole, start, number));
            }
            start += line.len();
            if !line.ends_with(b"\n") {
                let message = "the last line has no end: who wrote it did not finish, or another program did";
                let help =
                    "end it with a line feed where it is whole, else remove it; `skilltree knowledge add` does so";
                knowledge.faults.push(Fault::new(place(start - 1..start), message, help));
            }
        }
        knowledge
    }

    /// The place of the first line that is not what it was before; behind the last one where lines are gone. `None` where
    /// the file only grew.
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

/// Takes down what is wrong while it reads.
struct Reader<'k> {
    file: FileId,
    faults: &'k mut Vec<Fault>,
}

impl Reader<'_> {
    /// The entry of a line; `None` where something is wrong with it.
    fn entry(&mut self, line: &[u8], start: usize, number: usize) -> Option<Entry> {
        const HELP: &str =
            "`skilltree knowledge add` writes entries as they have to be; remove this one if nobody needs it";
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
                    let what = if value.text().is_some() { "blank" } else { value.kind() };
                    self.fault(value.range(), format!("`{key}` is {what}, not a text"), HELP)
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
            let message = format!("`{}` is no scope", text::shortened(&scope.value, 64));
            return self.fault(scope.place.range(), message, "write `global`, or `task:` and the id of a task");
        }
        let Ok(moment) = created_at.value.parse::<jiff::Timestamp>() else {
            let message = "`created_at` is no time".to_owned();
            return self.fault(created_at.place.range(), message, "write it as 2026-11-20T12:00:00Z");
        };
        let created_at = Spanned { value: moment.as_second(), place: created_at.place };
        Some(Entry { line: number, content, category, contributor, scope, task_ref, created_at, content_hash })
    }

    /// Says which key stands twice or is none of an entry's.
    fn known_once(&mut self, members: &[(Key, Value<'_>)]) -> Option<()> {
        for (number, (key, _)) in members.iter().enumerate() {
            let shown = text::shortened(&key.text, 64);
            if !KEYS.contains(&key.text.as_str()) {
                return self.fault(key.range.clone(), format!("`{shown}` is no key of an entry"), "remove it");
            }
            if members[..number].iter().any(|(other, _)| other.text == key.text) {
                return self.fault(
                    key.range.clone(),
                    format!("the key `{shown}` stands twice"),
                    "remove one of the two",
                );
            }
        }
        Some(())
    }

    fn fault<T>(&mut self, range: Range<usize>, message: String, help: &str) -> Option<T> {
        self.faults.push(Fault::new(Place::new(self.file, range), message, help));
        None
    }
}

/// Whether a text says what an entry holds for.
pub fn is_scope(scope: &str) -> bool {
    scope == "global" || scope.strip_prefix("task:").is_some_and(|id| !id.trim().is_empty())
}

/// The lower-case hexadecimal digits of bytes.
fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
