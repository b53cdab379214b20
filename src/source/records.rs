//! What agents wrote down beside the skills, read from where the skills are read.

use bstr::BStr;

use super::{Error, Source};
use crate::records::{KNOWLEDGE, Knowledge, Records, THREADS, Threads};
use crate::snapshot::File;
use crate::text::FileId;

/// The longest file of threads that is read (ours: 1 MiB).
const THREADS_BYTES: u64 = 1 << 20;

/// The longest file of knowledge that is read (ours: 16 MiB; it only grows).
pub const KNOWLEDGE_BYTES: u64 = 16 << 20;

/// Reads the records of a source, and puts their files behind the others.
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
