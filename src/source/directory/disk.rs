//! A directory of the disk, entered from its top without following a link: each component of a path is the directory
//! that it was when it was listed, or nothing is read.

#[cfg(not(unix))]
#[path = "disk/other.rs"]
mod system;
#[cfg(unix)]
#[path = "disk/unix.rs"]
mod system;

pub(super) use self::system::Disk;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) kind: Kind,
    /// Whether the owner may run it; `None` on a system that does not know.
    pub(super) executable: Option<bool>,
    /// Its size.
    pub(super) bytes: u64,
    /// What no other file of the system has at the same time; `None` on a system that does not say.
    pub(super) identity: Option<(u64, u64)>,
}

/// What a file is to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    Link,
    File,
    /// A pipe, a socket or a device.
    Special,
}
