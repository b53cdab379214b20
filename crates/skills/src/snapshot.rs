//! The state that was read, as plain values: no handle and no lifetime, so nothing is read twice with different
//! results.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use bstr::{BStr, BString, ByteSlice};

use crate::roots::{self, Owner, RootId};
use skilltree_front_matter::text;

mod names;

pub use names::{Names, Presence};

/// The id of an object: the hash of a blob or a tree, as git names it (20 bytes of SHA-1 or 32 of SHA-256).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// Creates an id from the bytes of a hash; bytes after the 32nd are dropped.
    pub fn new(hash: &[u8]) -> Self {
        let length = hash.len().min(32);
        let mut bytes = [0; 32];
        bytes[..length].copy_from_slice(&hash[..length]);
        Self { bytes, length: length as u8 }
    }

    /// Returns the bytes of the hash.
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

/// A hash of what a file system notes about a file: where it is, its size, and when it changed. Two equal stamps of a path mean that its
/// content is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp(NonZeroU64);

impl Stamp {
    /// Creates a stamp.
    pub fn new(noted: &impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        noted.hash(&mut hasher);
        Self(NonZeroU64::new(hasher.finish()).unwrap_or(NonZeroU64::MIN))
    }
}

/// Why a file is in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A SKILL.md in any letter case, or another entry in the place of it or of its directory.
    Skill,
    /// Another entry below a root: a name and a mode, never read.
    Other,
    /// A Markdown file directly in a root with the front matter of a skill.
    Flat,
    /// A root, or the component of a root's path that blocks it.
    Root,
    /// A skills directory that no root reads and that was probably intended as one.
    Near,
    /// A SKILL.md in no skills directory.
    Unchecked,
    /// A manifest of a package or a marketplace.
    Manifest,
    /// Another spelling of a root that macOS or Windows treats as the root.
    Twin,
    /// skilltree.toml or WORKFLOW.md.
    Config,
}

/// The git mode of an entry.
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

/// The git state of a file in the working tree. Entries of the index and of trees are tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In the index or the tree.
    Tracked,
    /// In the working tree, not added.
    Untracked,
    /// In the working tree, matched by an ignore file.
    Ignored,
}

/// Where a symbolic link leads, resolved by name inside the snapshot. A target outside is never opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// A file of the repository, by its path.
    File(BString),
    /// A directory of the repository, by its path.
    Directory(BString),
    /// The target does not exist.
    Dangling,
    /// The target is an absolute path, which works on one machine only.
    Absolute,
    /// The target is outside the repository.
    Outside,
    /// Git ignores the skills that it leads to, so that no clone has them.
    Ignored,
    /// The link in the place of a skill leads to a directory above it that is no skill.
    Above,
    /// The path of a skill is the text of a regular file: a checkout without links was committed.
    Text,
    /// The link leads back to itself.
    Loop,
    /// More links follow than an operating system follows.
    TooManyLinks,
}

/// The content of an entry, as far as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The bytes of a regular file.
    Text(Vec<u8>),
    /// A regular file whose bytes are not kept, or were never needed.
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
    /// A pipe, a socket or a device in the working tree, which git does not track and skilltree does not open.
    Special,
    /// A root that does not exist.
    Absent,
    /// Conflict stages in the index instead of one version.
    Unmerged,
    /// A file whose object the repository lacks, and that no result depends on.
    NotFetched,
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
    /// Why it is in the snapshot.
    pub role: Role,
    /// The root that it belongs to; `None` for configuration.
    pub root: Option<RootId>,
    /// The blob or tree; for a SKILL.md that is a link the blob of its target.
    pub id: Option<ObjectId>,
    /// Its stamp in the working tree, if it is known.
    pub stamp: Option<Stamp>,
    /// Whether the repository has the object: a file that was not added has an id, but no object.
    pub is_stored: bool,
    /// The git mode.
    pub mode: Mode,
    /// The git state.
    pub state: State,
    /// The content, as far as it was read.
    pub body: Body,
    /// The path of the regular file that a link leads to, if the content was read through one.
    pub through: Option<BString>,
    /// Whether an ignore file in its skills directory excludes it, for programs that obey such files without Git.
    pub is_excluded: bool,
}

impl File {
    /// Creates a tracked file, the most common case; the mode follows from the body.
    pub fn new(path: impl Into<BString>, role: Role, root: Option<RootId>, body: Body) -> Self {
        let mode = match &body {
            Body::Symlink { .. } => Mode::Link,
            Body::Submodule => Mode::Submodule,
            Body::Directory => Mode::Directory,
            _ => Mode::File,
        };
        Self {
            path: path.into(),
            role,
            root,
            id: None,
            stamp: None,
            is_stored: true,
            mode,
            state: State::Tracked,
            body,
            through: None,
            is_excluded: false,
        }
    }

    /// Returns whether it has bytes to read: its own, or those of the file that it leads to.
    pub fn has_text(&self) -> bool {
        match &self.body {
            Body::NotRead => true,
            Body::Symlink { .. } => self.through.is_some(),
            _ => false,
        }
    }

    /// Returns the path to show: the link's target if the content was read through a link.
    pub fn shown_path(&self) -> &BString {
        self.through.as_ref().unwrap_or(&self.path)
    }

    /// Returns the path that findings are reported at: the real one in a linked directory, and the link's own if the file
    /// itself is a link.
    pub fn reported_path(&self) -> &BString {
        if self.mode == Mode::Link { &self.path } else { self.shown_path() }
    }
}

/// Where a snapshot comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The index of a repository.
    Index,
    /// A tree of a repository.
    Tree {
        /// The revision as requested.
        revision: String,
        /// The commit, if the revision names one.
        commit: Option<ObjectId>,
    },
    /// The working tree of a repository.
    WorkTree,
    /// A directory outside any repository.
    Directory,
    /// One SKILL.md on standard input.
    StandardInput,
    /// Made in memory.
    Memory,
}

impl Origin {
    /// Returns the commit whose tree it is, if it is one.
    pub fn commit(&self) -> Option<ObjectId> {
        if let Self::Tree { commit, .. } = self { *commit } else { None }
    }
}

impl Unread {
    /// Returns whether it is the skill directory with this name, or the SKILL.md in it.
    pub fn is_skill(&self, directory: &BStr) -> bool {
        let name = text::file_name(self.path.as_bstr());
        let of_file = || roots::is_skill_file(name) && text::file_name(text::parent(self.path.as_bstr())) == directory;
        name == directory || of_file()
    }
}

/// A file or a directory that could not be read and is skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// The display path.
    pub path: BString,
    /// Who owns it.
    pub owner: Owner,
    /// The reason.
    pub message: String,
}
