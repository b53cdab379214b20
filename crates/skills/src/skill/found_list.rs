//! Entries of a file that lists skills.

use bstr::BString;

use crate::queries::List;
use crate::snapshot::{Body, File, Resolution};
use skilltree_front_matter::is_lfs_pointer;
use skilltree_front_matter::text::{FileId, Place, Spanned};

/// Maximum entries of a file (ours: 100,000, one per ten bytes of a file of 1 MiB).
pub const ENTRIES: usize = 100_000;

/// A file that lists skills, with its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundList {
    /// What the configuration says about it.
    pub list: List,
    /// The file.
    pub file: FileId,
    /// Why its entries are not known. It then has none.
    pub unread: Option<UnreadList>,
    /// Its entries in order: the names or paths of skills as written.
    pub entries: Vec<Spanned<String>>,
}

/// Why the entries of a file that lists skills are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadList {
    /// It does not exist.
    Missing {
        /// The path of a file next to it with a similar name.
        near: Option<String>,
    },
    /// It is a symbolic link.
    Link {
        /// The file of the repository that it leads to.
        to: Option<BString>,
    },
    /// It is over the limit of a configuration file.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// It has conflict stages.
    Unmerged,
    /// It is a Git LFS pointer.
    LfsPointer,
    /// It is a directory, a submodule, a pipe, a socket or a device.
    NotAFile,
    /// It is not UTF-8.
    NotUtf8 {
        /// Offset of the first byte that is not.
        at: usize,
    },
    /// The pattern finds more entries than the limit.
    TooMany {
        /// Their number.
        count: usize,
    },
}

impl FoundList {
    /// Finds the entries of a file. `near` is the path of a file with a similar name, if it does not exist.
    pub(crate) fn new(list: &List, id: FileId, file: &File, near: Option<String>) -> Self {
        let text = match &file.body {
            Body::Text(bytes) if is_lfs_pointer(bytes) => Err(UnreadList::LfsPointer),
            Body::Text(bytes) => {
                std::str::from_utf8(bytes).map_err(|error| UnreadList::NotUtf8 { at: error.valid_up_to() })
            }
            Body::Symlink { resolution: Resolution::File(to), .. } => Err(UnreadList::Link { to: Some(to.clone()) }),
            Body::Symlink { .. } => Err(UnreadList::Link { to: None }),
            Body::TooLarge { bytes } => Err(UnreadList::TooLarge { bytes: *bytes }),
            Body::Absent => Err(UnreadList::Missing { near }),
            Body::Unmerged => Err(UnreadList::Unmerged),
            Body::NotRead | Body::NotFetched | Body::Submodule | Body::Directory | Body::Special => {
                Err(UnreadList::NotAFile)
            }
        };
        let (unread, entries) = match text.and_then(|text| entries(list, id, text)) {
            Ok(entries) => (None, entries),
            Err(unread) => (Some(unread), Vec::new()),
        };
        Self { list: list.clone(), file: id, unread, entries }
    }
}

fn entries(list: &List, id: FileId, text: &str) -> Result<Vec<Spanned<String>>, UnreadList> {
    let regex = &list.pattern.0;
    let named = regex.capture_names().flatten().any(|name| name == "skill");
    let entry = |captures: regex::Captures<'_>| {
        let group = if named { captures.name("skill") } else { captures.get(1) }?;
        Some(Spanned { value: group.as_str().to_owned(), place: Place::new(id, group.range()) })
    };
    let mut found = regex.captures_iter(text).filter_map(entry);
    let entries: Vec<_> = found.by_ref().take(ENTRIES).collect();
    match found.count() {
        0 => Ok(entries),
        more => Err(UnreadList::TooMany { count: entries.len() + more }),
    }
}
