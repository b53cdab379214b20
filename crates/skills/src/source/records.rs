//! Reading of the record files from the source of the skills.

use bstr::BStr;

use super::{Error, Source};
use crate::records::{KNOWLEDGE, Knowledge, Records, THREADS, Threads};
use crate::snapshot::File;
use skilltree_front_matter::text::FileId;

/// Maximum size of threads.json (ours: 1 MiB).
const THREADS_BYTES: u64 = 1 << 20;

/// Maximum size of knowledge.jsonl (ours: 16 MiB; it is append-only).
pub const KNOWLEDGE_BYTES: u64 = 16 << 20;

/// Reads the records of a source, and appends their files.
pub(super) fn read(source: &Source, files: &mut Vec<File>) -> Result<Records, Error> {
    let mut records = Records::default();
    if let Some(file) = source.file_within(BStr::new(THREADS), THREADS_BYTES)? {
        let id = FileId(files.len() as u32);
        records.threads = Some(Threads::read(id, &file));
        files.push(file);
    }
    if let Some(file) = source.file_within(BStr::new(KNOWLEDGE), KNOWLEDGE_BYTES)? {
        let id = FileId(files.len() as u32);
        records.knowledge = Some(Knowledge::read(id, &file));
        files.push(file);
    }
    Ok(records)
}
