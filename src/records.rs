//! What agents write down beside the skills: which skills a thread binds, and what was learned. Reading cannot fail: what
//! is wrong is a [`Fault`] with its place.

mod json;
mod knowledge;
mod threads;

pub use knowledge::{
    CATEGORIES, Entry, KNOWLEDGE, Knowledge, New, Refusal, SECONDS_BETWEEN, content_hash, is_scope, torn,
};
pub use threads::{BOUND, THREADS, Thread, Threads, bind, unbind};

use std::ops::Range;

use bstr::{ByteSlice, Utf8Error};

use crate::snapshot::{Body, File, Role};
use crate::text::{FileId, Place};

/// What stands beside the skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The skills that threads bind; `None` where there is no such file.
    pub threads: Option<Threads>,
    /// What agents learned; `None` where there is no such file.
    pub knowledge: Option<Knowledge>,
    /// What they had learned in the base; `None` where nothing is compared, or there was no such file.
    pub knowledge_before: Option<Knowledge>,
}

impl Records {
    /// Takes down what the base has, for whoever compares. `files` are those of what is judged: a file that is gone is put
    /// behind them, so that it can be spoken of.
    pub fn compare(&mut self, before: Knowledge, files: &mut Vec<File>) {
        self.knowledge.get_or_insert_with(|| {
            files.push(File::new(KNOWLEDGE, Role::Config, None, Body::Absent));
            Knowledge::empty(FileId(files.len() as u32 - 1))
        });
        self.knowledge_before = Some(before);
    }
}

/// Something wrong with such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// The fact.
    pub message: String,
    /// The exact edit in words.
    pub help: String,
}

impl Fault {
    fn new(place: Place, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place, message: message.into(), help: help.into() }
    }
}

/// The text of a file, or why there is none.
fn text(id: FileId, file: &File) -> Result<&str, Fault> {
    bytes(id, file)?.to_str().map_err(|error| {
        Fault::new(Place::new(id, not_utf8(&error, 0)), "the file is not UTF-8", "save the file as UTF-8")
    })
}

/// Where bytes are not UTF-8 that stand at `start` in their file.
fn not_utf8(error: &Utf8Error, start: usize) -> Range<usize> {
    let start = start + error.valid_up_to();
    start..start + error.error_len().unwrap_or(1)
}

/// The bytes of a file, or why there are none.
fn bytes(id: FileId, file: &File) -> Result<&[u8], Fault> {
    let what = match &file.body {
        Body::Text(bytes) => return Ok(bytes),
        Body::Symlink { .. } => "a symbolic link, and it is read through none",
        Body::Submodule => "a submodule",
        Body::Directory => "a directory",
        Body::Special => "a pipe, a socket or a device",
        Body::Unmerged => "left unmerged in the index",
        Body::TooLarge { .. } => "too large to read",
        Body::NotRead | Body::Absent => "not there",
    };
    let help = match &file.body {
        Body::Unmerged => "merge it, and add it to the index",
        Body::TooLarge { .. } => "remove what nobody needs from it",
        _ => "make it a regular file",
    };
    Err(Fault::new(Place::whole(id), format!("the file is {what}"), help))
}
