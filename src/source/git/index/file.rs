//! The file of an index: read once, looked through, decoded, and compared with its checksum.
#![allow(clippy::disallowed_methods, reason = "the index is a file of the repository")]

use std::io::ErrorKind;
use std::path::Path;

use gix::index::{File, State};

use super::scan;

/// What is wrong with an index, as the end of a sentence.
type Reason = &'static str;

/// How an index is decoded: without threads of gix's own, which end the program where none can be started.
const OPTIONS: gix::index::decode::Options = gix::index::decode::Options {
    thread_limit: Some(1),
    min_extension_block_in_bytes_for_threading: 0,
    expected_checksum: None,
    alloc_limit_bytes: None,
};

/// Reads the index at a path; `None` when there is none.
pub(super) fn read(path: &Path, hash: gix::hash::Kind) -> Result<Option<State>, Reason> {
    let Some(Looked { bytes, link }) = look(path, hash)? else { return Ok(None) };
    let state = match (link, path.parent()) {
        (Some(id), Some(directory)) => {
            look_at_shared(&directory.join(format!("sharedindex.{id}")), hash)?;
            File::at(path, hash, false, OPTIONS).ok().map(|file| file.into_parts().0)
        }
        _ => decoded(&bytes, hash),
    };
    state.map(Some).ok_or("it is truncated, or its checksum does not fit")
}

/// Looks through the index that another one is split from.
fn look_at_shared(path: &Path, hash: gix::hash::Kind) -> Result<(), Reason> {
    match look(path, hash).map_err(|_| "the shared index that it is split from cannot be read")? {
        Some(Looked { link: None, .. }) => Ok(()),
        Some(_) => Err("the shared index that it is split from is split itself"),
        None => Err("the shared index that it is split from is not there"),
    }
}

/// The file of an index that was looked through, and the id of the one that it is split from.
struct Looked {
    bytes: Vec<u8>,
    link: Option<gix::ObjectId>,
}

/// Looks through the file of an index; `None` when it is not there.
fn look(path: &Path, hash: gix::hash::Kind) -> Result<Option<Looked>, Reason> {
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => return Ok(None),
        Err(_) => return Err("its file cannot be accessed"),
        // A pipe would be waited for without end; a link is followed as git does.
        Ok(metadata) if !metadata.is_file() => return Err("it is not a regular file"),
        Ok(metadata) if metadata.len() > scan::INDEX_BYTES => return Err("it is longer than 128 MiB"),
        Ok(_) => {}
    }
    let bytes = std::fs::read(path).map_err(|_| "its file cannot be accessed")?;
    let link = scan::scan(&bytes, hash)?;
    Ok(Some(Looked { bytes, link }))
}

/// Decodes an index that shares nothing, while its checksum is computed: both take as long. `None` when it does not
/// decode, or its checksum does not fit.
fn decoded(bytes: &[u8], hash: gix::hash::Kind) -> Option<State> {
    // The time of an index tells which files may have changed since, which nobody asks here.
    let time = State::new(hash).timestamp();
    let (decoded, is_whole) =
        rayon::join(|| State::from_bytes(bytes, time, hash, OPTIONS).ok(), || has_its_checksum(bytes, hash));
    decoded.filter(|_| is_whole).map(|(state, _)| state)
}

/// Whether the last bytes are the checksum of those before them, or zeros: then `index.skipHash` kept git from computing it.
fn has_its_checksum(bytes: &[u8], hash: gix::hash::Kind) -> bool {
    let Some((body, checksum)) = bytes.len().checked_sub(hash.len_in_bytes()).map(|end| bytes.split_at(end)) else {
        return false;
    };
    let mut hasher = gix::hash::hasher(hash);
    hasher.update(body);
    checksum.iter().all(|byte| *byte == 0) || hasher.try_finalize().is_ok_and(|id| id.as_bytes() == checksum)
}
