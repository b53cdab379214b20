//! Files that agents write next to the skills: which skills a thread binds, and what agents learned. Reading cannot
//! fail: errors are [`Fault`]s with a place.

mod json;
mod knowledge;
mod threads;

pub use knowledge::{
    CATEGORIES, KNOWLEDGE, Knowledge, KnowledgeEntry, New, Refusal, SECONDS_BETWEEN, content_hash, is_scope, torn,
};
pub use threads::{BOUND, THREADS, Thread, Threads, activate, bind, unbind};

use std::ops::Range;

use bstr::{ByteSlice, Utf8Error};

use crate::snapshot::{Body, File, Role, Unread};
use skilltree_front_matter::text::{FileId, Place};

/// The records of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The skills that threads bind; `None` if the file does not exist.
    pub threads: Option<Threads>,
    /// Knowledge entries; `None` if the file does not exist.
    pub knowledge: Option<Knowledge>,
    /// Knowledge entries of the base; `None` without a base, or if the file did not exist.
    pub knowledge_before: Option<Knowledge>,
    /// The files that could not be read: only with [`RootSet::skips_unreadable`](crate::roots::RootSet).
    pub unread: Vec<Unread>,
}

impl Records {
    /// Stores the base's knowledge for comparison. If the file was deleted, an absent one is appended to `files`, so
    /// that a finding can refer to it.
    pub fn compare(&mut self, before: Knowledge, files: &mut Vec<File>) {
        self.knowledge.get_or_insert_with(|| {
            files.push(File::new(KNOWLEDGE, Role::Config, None, Body::Absent));
            Knowledge::empty(FileId(files.len() as u32 - 1))
        });
        self.knowledge_before = Some(before);
    }
}

/// An error in a record file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is.
    pub place: Place,
    /// The fact.
    pub message: String,
    /// The imperative edit.
    pub help: String,
}

impl Fault {
    fn new(place: Place, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place, message: message.into(), help: help.into() }
    }
}

/// Returns the text of a file, or why it has none.
fn text(id: FileId, file: &File) -> Result<&str, Fault> {
    bytes(id, file)?.to_str().map_err(|error| {
        Fault::new(Place::new(id, not_utf8(&error, 0)), "the file is not UTF-8", "save the file as UTF-8")
    })
}

/// Returns the fault for invalid UTF-8 in bytes that begin at `start` in their file.
fn not_utf8(error: &Utf8Error, start: usize) -> Range<usize> {
    let start = start + error.valid_up_to();
    start..start + error.error_len().unwrap_or(1)
}

/// Returns the bytes of a file, or why it has none.
fn bytes(id: FileId, file: &File) -> Result<&[u8], Fault> {
    let what = match &file.body {
        Body::Text(bytes) => return Ok(bytes),
        Body::Symlink { .. } => "a symbolic link, which is not followed",
        Body::Submodule => "a submodule",
        Body::Directory => "a directory",
        Body::Special => "a pipe, a socket or a device",
        Body::Unmerged => "unmerged in the index",
        Body::TooLarge { .. } => "too large to read",
        Body::NotRead | Body::NotFetched | Body::Absent => "missing",
    };
    let help = match &file.body {
        Body::Unmerged => "resolve the conflict and add the file to the index",
        Body::TooLarge { .. } => "remove entries that are no longer needed",
        _ => "make it a regular file",
    };
    Err(Fault::new(Place::whole(id), format!("the file is {what}"), help))
}
