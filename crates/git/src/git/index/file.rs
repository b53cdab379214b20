//! The index file: read once, validated, decoded, and compared with its checksum.
#![allow(clippy::disallowed_methods, reason = "the index is a file of the repository")]

use std::io::ErrorKind;
use std::path::Path;

use gix::index::{File, State};

use super::scan;

/// The reason that an index is invalid, as the end of a sentence.
type Reason = &'static str;

/// Decoding without gix's threads, which end the program if none can be started.
const OPTIONS: gix::index::decode::Options = gix::index::decode::Options {
    thread_limit: Some(1),
    min_extension_block_in_bytes_for_threading: 0,
    expected_checksum: None,
    alloc_limit_bytes: None,
};

/// Reads the index at a path; `None` when there is none.
pub(super) fn read(path: &Path, hash: gix::hash::Kind) -> Result<Option<State>, Reason> {
    let Some(Validated { bytes, link }) = validate(path, hash)? else { return Ok(None) };
    let state = match (link, path.parent()) {
        (Some(id), Some(directory)) => {
            validate_shared(&directory.join(format!("sharedindex.{id}")), hash)?;
            File::at(path, hash, false, OPTIONS).ok().map(|file| file.into_parts().0)
        }
        _ => decoded(&bytes, hash),
    };
    state.map(Some).ok_or("it is truncated, or its checksum is wrong")
}

/// Validates the shared part of a split index.
fn validate_shared(path: &Path, hash: gix::hash::Kind) -> Result<(), Reason> {
    match validate(path, hash).map_err(|_| "its shared index cannot be read")? {
        Some(Validated { link: None, .. }) => Ok(()),
        Some(_) => Err("its shared index is also split"),
        None => Err("its shared index is missing"),
    }
}

/// A validated index file, and the id of its shared index if it is split.
struct Validated {
    bytes: Vec<u8>,
    link: Option<gix::ObjectId>,
}

/// Reads and validates an index file; `None` if it does not exist.
fn validate(path: &Path, hash: gix::hash::Kind) -> Result<Option<Validated>, Reason> {
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => return Ok(None),
        Err(_) => return Err("its file cannot be accessed"),
        // Opening a pipe would block; links are followed as git does.
        Ok(metadata) if !metadata.is_file() => return Err("it is not a regular file"),
        Ok(metadata) if metadata.len() > scan::INDEX_BYTES => return Err("it is larger than 128 MiB"),
        Ok(_) => {}
    }
    let bytes = std::fs::read(path).map_err(|_| "its file cannot be accessed")?;
    let link = scan::scan(&bytes, hash)?;
    Ok(Some(Validated { bytes, link }))
}

/// Decodes an index that is not split, and computes its checksum in parallel: both take equally long. `None` if one of
/// them fails.
fn decoded(bytes: &[u8], hash: gix::hash::Kind) -> Option<State> {
    // The timestamp only matters for detecting changed files, which is not needed here.
    let time = State::new(hash).timestamp();
    let (decoded, is_whole) =
        rayon::join(|| State::from_bytes(bytes, time, hash, OPTIONS).ok(), || has_its_checksum(bytes, hash));
    decoded.filter(|_| is_whole).map(|(state, _)| state)
}

/// Returns whether the last bytes are the checksum of the others, or zeros as with `index.skipHash`.
fn has_its_checksum(bytes: &[u8], hash: gix::hash::Kind) -> bool {
    let Some((body, checksum)) = bytes.len().checked_sub(hash.len_in_bytes()).map(|end| bytes.split_at(end)) else {
        return false;
    };
    let mut hasher = gix::hash::hasher(hash);
    hasher.update(body);
    checksum.iter().all(|byte| *byte == 0) || hasher.try_finalize().is_ok_and(|id| id.as_bytes() == checksum)
}
