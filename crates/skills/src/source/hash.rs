//! Object ids as git computes them.

use bstr::{BStr, BString, ByteSlice};
use sha2::Digest;

use super::Error;
use crate::roots;
use crate::snapshot::{File, Mode, ObjectId};

/// The hash function of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashKind {
    /// SHA-1 with collision detection.
    Sha1,
    /// SHA-256.
    Sha256,
}

/// Computes the id of an object whose bytes arrive in pieces.
pub struct ObjectHasher(State);

enum State {
    Sha1(sha1dc::Hasher),
    Sha256(sha2::Sha256),
}

impl ObjectHasher {
    /// Starts a blob of so many bytes.
    pub fn blob(hash: HashKind, bytes: u64) -> Self {
        Self::object(hash, "blob", bytes)
    }

    fn object(hash: HashKind, kind: &str, bytes: u64) -> Self {
        let mut hasher = Self(match hash {
            HashKind::Sha1 => State::Sha1(sha1dc::Hasher::new()),
            HashKind::Sha256 => State::Sha256(sha2::Sha256::new()),
        });
        hasher.update(format!("{kind} {bytes}\0").as_bytes());
        hasher
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Sha1(hasher) => hasher.update(bytes),
            State::Sha256(hasher) => hasher.update(bytes),
        }
    }

    /// Returns the id; `None` when the bytes are a SHA-1 collision attack.
    pub fn finish(self) -> Option<ObjectId> {
        match self.0 {
            State::Sha1(hasher) => {
                let digest: [u8; 20] = hasher.finalize().ok()?.into();
                Some(ObjectId::new(&digest))
            }
            State::Sha256(hasher) => Some(ObjectId::new(hasher.finalize().as_slice())),
        }
    }
}

/// Returns the id of a blob with these bytes; `None` when they are a SHA-1 collision attack.
pub fn blob(hash: HashKind, bytes: &[u8]) -> Option<ObjectId> {
    object(hash, "blob", bytes)
}

/// Returns the id of a blob with the bytes of a file.
///
/// # Errors
/// If the bytes are a SHA-1 collision attack: such a file cannot be identified, so it is not read.
pub fn content(hash: HashKind, path: &BString, bytes: &[u8]) -> Result<ObjectId, Error> {
    blob(hash, bytes).ok_or_else(|| Error::Unreadable {
        path: path.clone(),
        reason: "its bytes are a SHA-1 collision attack".to_owned(),
    })
}

fn object(hash: HashKind, kind: &str, bytes: &[u8]) -> Option<ObjectId> {
    let mut hasher = ObjectHasher::object(hash, kind, bytes.len() as u64);
    hasher.update(bytes);
    hasher.finish()
}

/// Returns the id of the tree of these files below a path; `None` if a file has no id, as in a conflict.
pub(super) fn tree(hash: HashKind, below: &BStr, files: &[&File]) -> Option<ObjectId> {
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
    entries.sort_by(|a, b| sort_key(a.0, a.1).cmp(sort_key(b.0, b.1)));
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
    object(hash, "tree", &bytes)
}

/// Returns the sort key of an entry: git sorts a directory as if its name ended in `/`.
fn sort_key(name: &BStr, mode: Mode) -> impl Iterator<Item = u8> {
    name.bytes().chain((mode == Mode::Directory).then_some(b'/'))
}
