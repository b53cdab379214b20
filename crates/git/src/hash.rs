//! Conversion of gitoxide's hash kinds, and hashing of streams.

use std::io::Read;

use skilltree_skills::snapshot::ObjectId;
use skilltree_skills::source::{HashKind, ObjectHasher};

/// Converts gitoxide's hash kind.
pub(crate) fn kind(hash: gix::hash::Kind) -> HashKind {
    match hash {
        gix::hash::Kind::Sha256 => HashKind::Sha256,
        _ => HashKind::Sha1,
    }
}

/// Returns the id of a blob read from a stream; `None` when the stream has another length, or is a SHA-1 collision attack.
pub(crate) fn stream(hash: HashKind, bytes: &mut dyn Read, length: u64) -> Option<ObjectId> {
    let mut hasher = ObjectHasher::blob(hash, length);
    let mut buffer = vec![0; 64 << 10];
    let mut left = length;
    while left > 0 {
        let most = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        match bytes.read(&mut buffer[..most]).ok()? {
            0 => return None,
            read => {
                hasher.update(&buffer[..read]);
                left -= read as u64;
            }
        }
    }
    hasher.finish()
}
