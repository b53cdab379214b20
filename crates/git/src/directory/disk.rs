//! File system access from a top directory without following links: a component that is no longer a directory is an
//! error.

#[cfg(not(unix))]
#[path = "disk/other.rs"]
mod system;
#[cfg(unix)]
#[path = "disk/unix.rs"]
mod system;

pub(super) use self::system::Disk;

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
