//! Reading of the record files from the source of the skills.

use bstr::BStr;

use super::{Error, Source};
use crate::records::{KNOWLEDGE, Knowledge, Records, THREADS, Threads};
use crate::roots::Owner;
use crate::snapshot::{File, Unread};
use skilltree_front_matter::text::FileId;

/// Maximum size of threads.json (ours: 1 MiB).
const THREADS_BYTES: u64 = 1 << 20;

/// Maximum size of knowledge.jsonl (ours: 16 MiB; it is append-only).
pub const KNOWLEDGE_BYTES: u64 = 16 << 20;

/// Reads the records of a source, and appends their files. With `skips_unreadable`, a file that cannot be read is noted.
pub(super) fn read(source: &Source, files: &mut Vec<File>, skips_unreadable: bool) -> Result<Records, Error> {
    let mut records = Records::default();
    let mut unread = Vec::new();
    let mut open = |path: &str, limit: u64| match source.file_within(BStr::new(path), limit) {
        Err(error @ Error::Unreadable { .. }) if skips_unreadable => {
            unread.push(Unread { path: path.into(), owner: Owner::Repository, message: error.to_string() });
            Ok(None)
        }
        file => file,
    };
    if let Some(file) = open(THREADS, THREADS_BYTES)? {
        records.threads = Some(Threads::read(FileId(files.len() as u32), &file));
        files.push(file);
    }
    if let Some(file) = open(KNOWLEDGE, KNOWLEDGE_BYTES)? {
        records.knowledge = Some(Knowledge::read(FileId(files.len() as u32), &file));
        files.push(file);
    }
    Ok(Records { unread, ..records })
}
