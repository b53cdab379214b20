//! File system access from a top directory without following links: a component that is no longer a directory is an
//! error.
#![allow(clippy::disallowed_methods, reason = "links of a directory that the user named are resolved once")]

#[cfg(not(unix))]
#[path = "disk/other.rs"]
mod system;
#[cfg(unix)]
#[path = "disk/unix.rs"]
mod system;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use skilltree_skills::snapshot::Stamp;

pub(super) use self::system::Disk;

/// Links to directories that are read as if they were the directories, by path, with their targets.
#[derive(Debug, Default)]
pub(crate) struct Linked(BTreeMap<BString, PathBuf>);

impl Linked {
    /// Lists the links to directories that are directly in a directory. `below` is its path from the top, and `within` the directory
    /// that they may not leave.
    pub(crate) fn in_directory(directory: &Path, below: &BStr, within: Option<&Path>) -> Self {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
        let target = |entry: std::fs::DirEntry| {
            let name = gix::path::os_string_into_bstring(entry.file_name()).ok()?;
            let target = std::fs::canonicalize(entry.path()).ok().filter(|target| target.is_dir())?;
            let is_inside = within.is_none_or(|within| target.starts_with(within));
            is_inside.then(|| (BString::from([below.as_bytes(), b"/", name.as_bytes()].concat()), target))
        };
        Self(links.filter_map(target).collect())
    }

    /// Returns whether a path is such a link.
    fn contains(&self, directory: &BStr, name: &BStr) -> bool {
        !self.0.is_empty()
            && self.0.contains_key(&BString::from([directory.as_bytes(), b"/", name.as_bytes()].concat()))
    }

    /// Returns the target of the link that a path is or goes through, and the rest of the path.
    fn split<'p>(&self, path: &'p BStr) -> Option<(&Path, &'p BStr)> {
        self.0.iter().find_map(|(link, target)| {
            let rest = path.strip_prefix(link.as_bytes())?;
            let rest = if rest.is_empty() { Some(rest) } else { rest.strip_prefix(b"/") }?;
            Some((target.as_path(), rest.as_bstr()))
        })
    }
}

/// The metadata of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) kind: Kind,
    /// Whether the owner may execute it; `None` if the system has no such bit.
    pub(super) executable: Option<bool>,
    /// Its size in bytes.
    pub(super) bytes: u64,
    /// Device and inode; `None` on a system without them.
    pub(super) identity: Option<(u64, u64)>,
    /// What tells this content from an earlier one; `None` on a system without inodes, and for a file that changed just now.
    pub(super) stamp: Option<Stamp>,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Directory,
    Link,
    File,
    /// A pipe, a socket or a device.
    Special,
}
