//! What was read, as plain values: no handle, no lifetime, nothing that could be read a second time and differ.

use std::fmt;

use bstr::BString;

use crate::roots::{Root, RootId};

mod names;

pub use names::{Names, Presence};

/// The id of an object: the hash of a blob or a tree, as git names it (20 bytes of SHA-1 or 32 of SHA-256).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// An id from the bytes of a hash; what is longer than 32 bytes is no hash of git's and is cut.
    pub fn new(hash: &[u8]) -> Self {
        let length = hash.len().min(32);
        let mut bytes = [0; 32];
        bytes[..length].copy_from_slice(&hash[..length]);
        Self { bytes, length: length as u8 }
    }

    /// The bytes of the hash.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a file is in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stands where a skill stands: a SKILL.md in any letter case, or what takes its or its directory's place.
    Skill,
    /// It lies below a root beside the skills: a name and a mode, never read.
    Beside,
    /// It is Markdown right in a root, and has the front matter of a skill.
    Flat,
    /// It is a root, or the component of a root's path that stands in its way.
    Root,
    /// It is a directory of skills that no root reads, and that was probably meant as one.
    Near,
    /// It is another spelling of a root that macOS or Windows take for the root.
    Twin,
    /// It is skilltree.toml or WORKFLOW.md.
    Config,
}

/// The mode that git gives an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A regular file (100644).
    File,
    /// A regular file with the executable bit (100755).
    Executable,
    /// A symbolic link (120000).
    Link,
    /// A commit of another repository (160000).
    Submodule,
    /// A directory (40000).
    Directory,
}

/// What git knows of a file of the work tree. Whatever comes out of the index or a tree is tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In the index or the tree.
    Tracked,
    /// In the work tree, not yet added.
    Untracked,
    /// In the work tree, and an ignore file leaves it out.
    Ignored,
}

/// Where a symbolic link leads, found by name inside the snapshot; a target is never opened outside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// A file of the repository, by its path.
    File(BString),
    /// A directory of the repository, by its path.
    Directory(BString),
    /// Nothing is there.
    Dangling,
    /// The target is an absolute path: it works on one machine only.
    Absolute,
    /// The target climbs out of the repository.
    Outside,
    /// The link leads back to itself.
    Loop,
}

/// The content of an entry, as far as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The bytes of a regular file.
    Text(Vec<u8>),
    /// A regular file whose bytes are not kept, or were never asked for.
    NotRead,
    /// A symbolic link.
    Symlink {
        /// The bytes of the link.
        target: BString,
        /// Where it leads.
        resolution: Resolution,
    },
    /// A gitlink.
    Submodule,
    /// A directory.
    Directory,
    /// A pipe, a socket or a device of the work tree, which git does not know and nobody opens.
    Special,
    /// Nothing: a root that does not exist.
    Absent,
    /// The index holds conflict stages instead of one version.
    Unmerged,
    /// A file over the limit, not read.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
}

/// An entry of the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path from the repository's root, `/` between components, raw bytes as git stores them.
    pub path: BString,
    /// Why it is here.
    pub role: Role,
    /// The root that it belongs to; none for configuration.
    pub root: Option<RootId>,
    /// The blob or tree; for a SKILL.md reached through a link the blob that the link leads to.
    pub id: Option<ObjectId>,
    /// The mode that git gives it.
    pub mode: Mode,
    /// What git knows of it.
    pub state: State,
    /// The content, as far as it was read.
    pub body: Body,
    /// The path of the regular file that a link led to, when the content was read through one.
    pub through: Option<BString>,
}

impl File {
    /// A tracked regular file: what most files of a snapshot are.
    pub fn new(path: impl Into<BString>, role: Role, root: Option<RootId>, body: Body) -> Self {
        let mode = match &body {
            Body::Symlink { .. } => Mode::Link,
            Body::Submodule => Mode::Submodule,
            Body::Directory => Mode::Directory,
            _ => Mode::File,
        };
        Self { path: path.into(), role, root, id: None, mode, state: State::Tracked, body, through: None }
    }

    /// The path whose bytes are shown: a link's target where the content was read through a link.
    pub fn shown_path(&self) -> &BString {
        self.through.as_ref().unwrap_or(&self.path)
    }
}

/// Where a snapshot comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The index of a repository.
    Index,
    /// A tree of a repository.
    Tree {
        /// The revision as it was asked for.
        revision: String,
        /// The commit, when the revision names one.
        commit: Option<ObjectId>,
    },
    /// The work tree of a repository.
    WorkTree,
    /// A directory outside any repository.
    Directory,
    /// One SKILL.md on standard input.
    StandardInput,
    /// Made in memory.
    Memory,
}

/// What was read: complete, sorted by path, never read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Where it comes from.
    pub origin: Origin,
    /// The committer time of what is judged, in seconds since 1970: the only "today" that the core knows.
    pub time: Option<i64>,
    /// The roots that exist or were asked for by name, in their order.
    pub roots: Vec<Root>,
    /// The files, sorted by path.
    pub files: Vec<File>,
}
