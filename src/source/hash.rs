//! Ids as git computes them, with no repository at hand.

use std::io::Read;
use std::sync::atomic::AtomicBool;

use bstr::{BStr, BString, ByteSlice};
use gix::objs::Kind;

use super::Error;
use crate::roots;
use crate::snapshot::{File, Mode, ObjectId};

/// The id of a blob with these bytes; `None` for bytes that were made to collide, which SHA-1 gives up on.
pub(super) fn blob(hash: gix::hash::Kind, bytes: &[u8]) -> Option<ObjectId> {
    object(hash, Kind::Blob, bytes)
}

/// The id of a blob with the bytes of a file. What was made to collide cannot be told from others, so it is not read.
pub(super) fn content(hash: gix::hash::Kind, path: &BString, bytes: &[u8]) -> Result<ObjectId, Error> {
    blob(hash, bytes).ok_or_else(|| Error::Unreadable {
        path: path.clone(),
        reason: "its bytes were made to collide with others in SHA-1".to_owned(),
    })
}

/// The id of a blob with the bytes of a stream of this length; `None` when the stream ends before.
pub(super) fn stream(hash: gix::hash::Kind, bytes: &mut dyn Read, length: u64) -> Option<ObjectId> {
    let never = AtomicBool::new(false);
    let id = gix::objs::compute_stream_hash(hash, Kind::Blob, bytes, length, &mut gix::progress::Discard, &never);
    id.ok().map(|id| ObjectId::new(id.as_bytes()))
}

fn object(hash: gix::hash::Kind, kind: Kind, bytes: &[u8]) -> Option<ObjectId> {
    gix::objs::compute_hash(hash, kind, bytes).ok().map(|id| ObjectId::new(id.as_bytes()))
}

/// The id of the tree that these files make below a path. `None` when a file has no id, as conflict stages have none.
pub(super) fn tree(hash: gix::hash::Kind, below: &BStr, files: &[&File]) -> Option<ObjectId> {
    let skip = if below.is_empty() { 0 } else { below.len() + 1 };
    let mut entries: Vec<(&BStr, Mode, ObjectId)> = Vec::new();
    let mut rest = files;
    while let [first, ..] = rest {
        let name = first.path.get(skip..)?.as_bstr();
        let Some(slash) = name.find_byte(b'/') else {
            entries.push((name, first.mode, first.id?));
            rest = &rest[1..];
            continue;
        };
        let directory = first.path[..skip + slash].as_bstr();
        let count = rest.partition_point(|file| roots::is_within(file.path.as_bstr(), directory));
        entries.push((name[..slash].as_bstr(), Mode::Directory, tree(hash, directory, &rest[..count])?));
        rest = &rest[count..];
    }
    let is_tree = |mode| mode == Mode::Directory;
    entries.sort_by(|a, b| gix::objs::tree::name_order(a.0, is_tree(a.1), b.0, is_tree(b.1)));
    let mut bytes = Vec::new();
    for (name, mode, id) in entries {
        bytes.extend_from_slice(match mode {
            Mode::File => b"100644 ",
            Mode::Executable => b"100755 ",
            Mode::Link => b"120000 ",
            Mode::Submodule => b"160000 ",
            Mode::Directory => b"40000 ",
        });
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend_from_slice(id.as_bytes());
    }
    object(hash, Kind::Tree, &bytes)
}
