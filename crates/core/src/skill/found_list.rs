//! Entries of a file that lists skills.

use crate::queries::List;
use crate::snapshot::{Body, File};
use crate::text::{FileId, Place, Spanned};

/// Maximum entries of a file that are read (ours: 20,000).
const ENTRIES: usize = 20_000;

/// A file that lists skills, with its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundList {
    /// What the configuration says about it.
    pub list: List,
    /// The file.
    pub file: FileId,
    /// Whether it could be read: a regular file of at most 1 MiB.
    pub is_read: bool,
    /// Its entries in order: the names or paths of skills as written.
    pub entries: Vec<Spanned<String>>,
}

impl FoundList {
    /// Finds the entries of a file.
    pub(crate) fn new(list: &List, id: FileId, file: &File) -> Self {
        let bytes = if let Body::Text(bytes) = &file.body { Some(bytes) } else { None };
        let text = bytes.and_then(|bytes| bytes.utf8_chunks().next()).map_or("", |chunk| chunk.valid());
        let regex = &list.pattern.0;
        let named = regex.capture_names().flatten().any(|name| name == "skill");
        let entry = |captures: regex::Captures<'_>| {
            let group = if named { captures.name("skill") } else { captures.get(1) }?;
            Some(Spanned { value: group.as_str().to_owned(), place: Place::new(id, group.range()) })
        };
        let entries = regex.captures_iter(text).filter_map(entry).take(ENTRIES).collect();
        Self { list: list.clone(), file: id, is_read: bytes.is_some(), entries }
    }
}
