//! Access by directory descriptors.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bstr::{BStr, BString, ByteSlice};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use skilltree_front_matter::text;
use skilltree_skills::snapshot::Stamp;

use super::{Kind, Linked, Status};

/// A directory in the file system.
pub(crate) struct Disk {
    top: PathBuf,
    /// The top directory, opened for the first path in it.
    opened: OnceLock<OwnedFd>,
    linked: Linked,
}

impl Disk {
    pub(crate) fn new(top: PathBuf) -> Self {
        Self { top, opened: OnceLock::new(), linked: Linked::default() }
    }

    /// Reads these links as if they were directories.
    pub(crate) fn linked(self, linked: Linked) -> Self {
        Self { linked, ..self }
    }

    /// Returns the entries of a directory, unsorted. Entries that vanish meanwhile are skipped.
    pub(crate) fn list(&self, path: &BStr) -> io::Result<Vec<(BString, Status)>> {
        let mut directory = Dir::new(self.directory(path)?)?;
        let mut names = Vec::new();
        while let Some(entry) = directory.read() {
            let name = BString::from(entry?.file_name().to_bytes());
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        let mut entries = Vec::with_capacity(names.len());
        for name in names {
            match rustix::fs::statat(directory.fd()?, name.as_slice(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(_) if self.linked.contains(path, name.as_bstr()) => entries.push((name, Status::default())),
                Ok(stat) => entries.push((name, status(&stat))),
                Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(entries)
    }

    /// Returns the entries of a directory with their kinds only, unsorted: most file systems know those without looking at
    /// each entry.
    pub(crate) fn kinds(&self, path: &BStr) -> io::Result<Vec<(BString, Status)>> {
        let mut directory = Dir::new(self.directory(path)?)?;
        let mut entries = Vec::new();
        while let Some(entry) = directory.read() {
            let entry = entry?;
            let name = BString::from(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                entries.push((name, entry.file_type()));
            }
        }
        let place = directory.fd()?;
        let known = |(name, kind): (BString, FileType)| match kind {
            _ if self.linked.contains(path, name.as_bstr()) => Some((name, Status::default())),
            FileType::Unknown => {
                let stat = rustix::fs::statat(place, name.as_slice(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
                Some((name, status(&stat)))
            }
            kind => Some((name, Status { kind: self::kind(kind), ..Status::default() })),
        };
        Ok(entries.into_iter().filter_map(known).collect())
    }

    /// Returns the metadata of a path.
    pub(crate) fn status(&self, path: &BStr) -> io::Result<Status> {
        if self.linked.split(path).is_some_and(|(_, rest)| rest.is_empty()) {
            return Ok(Status::default());
        }
        let (parent, name) = self.place(path)?;
        Ok(status(&rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Opens a file for reading, without blocking if it has become a pipe.
    pub(crate) fn open(&self, path: &BStr) -> io::Result<(File, Status)> {
        let (parent, name) = self.place(path)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(parent, name, flags, Mode::empty()).map_err(moved)?;
        let status = status(&rustix::fs::fstat(&file)?);
        Ok((file.into(), status))
    }

    /// Opens a path if it is a regular file.
    pub(crate) fn file(&self, path: &BStr) -> Option<(File, Status)> {
        self.open(path).ok().filter(|(_, status)| status.kind == Kind::File)
    }

    /// Returns the target of a link.
    pub(crate) fn target(&self, path: &BStr) -> io::Result<BString> {
        let (parent, name) = self.place(path)?;
        Ok(rustix::fs::readlinkat(parent, name, Vec::new())?.into_bytes().into())
    }

    /// Returns the parent directory of a path, and the name in it.
    fn place<'p>(&self, path: &'p BStr) -> io::Result<(OwnedFd, &'p [u8])> {
        let parent = text::parent(path);
        let name = path[parent.len()..].strip_prefix(b"/").unwrap_or(&path[parent.len()..]);
        Ok((self.directory(parent)?, name))
    }

    fn directory(&self, path: &BStr) -> io::Result<OwnedFd> {
        if let Some((target, rest)) = self.linked.split(path) {
            return below(&rustix::fs::openat(rustix::fs::CWD, target, FLAGS, Mode::empty())?, rest);
        }
        if let Some(top) = self.opened.get() {
            return below(top, path);
        }
        // Links in the path of the top directory are followed: the caller chose it.
        let top = rustix::fs::openat(rustix::fs::CWD, &self.top, FLAGS, Mode::empty())?;
        below(self.opened.get_or_init(|| top), path)
    }
}

/// How a directory is opened.
const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens a directory below another one.
fn below(top: &OwnedFd, path: &BStr) -> io::Result<OwnedFd> {
    if path.is_empty() {
        return Ok(rustix::fs::openat(top, ".", FLAGS, Mode::empty())?);
    }
    let opened = beneath(top, Path::new(OsStr::from_bytes(path)), FLAGS);
    opened.unwrap_or_else(|| component_by_component(top, path, FLAGS | OFlags::NOFOLLOW)).map_err(moved)
}

/// Maps "is a link" to "not a directory": the entry was replaced after it was listed.
fn moved(error: Errno) -> io::Error {
    if error == Errno::LOOP { io::ErrorKind::NotADirectory.into() } else { error.into() }
}

/// Opens a path below a directory by one call that follows no links; `None` if the system lacks it.
#[cfg(target_os = "linux")]
fn beneath(top: &OwnedFd, path: &Path, flags: OFlags) -> Option<rustix::io::Result<OwnedFd>> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(top, path, flags, Mode::empty(), resolve) {
        // Older kernels lack the call, and some sandboxes forbid it.
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => None,
        opened => Some(opened),
    }
}

#[cfg(not(target_os = "linux"))]
fn beneath(_: &OwnedFd, _: &Path, _: OFlags) -> Option<rustix::io::Result<OwnedFd>> {
    None
}

fn component_by_component(top: &OwnedFd, path: &BStr, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let open = |directory: BorrowedFd<'_>, name: &[u8]| rustix::fs::openat(directory, name, flags, Mode::empty());
    let mut names = path.split_str(b"/");
    let first = open(top.as_fd(), names.next().unwrap_or_default())?;
    names.try_fold(first, |directory, name| open(directory.as_fd(), name))
}

fn kind(kind: FileType) -> Kind {
    match kind {
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        FileType::RegularFile => Kind::File,
        _ => Kind::Special,
    }
}

#[allow(clippy::unnecessary_cast, reason = "the types of these numbers differ between systems")]
fn status(stat: &Stat) -> Status {
    let kind = kind(FileType::from_raw_mode(stat.st_mode));
    let executable = Some(Mode::from_raw_mode(stat.st_mode).contains(Mode::XUSR));
    let bytes = u64::try_from(stat.st_size).unwrap_or_default();
    Status { kind, executable, bytes, identity: Some((stat.st_dev as u64, stat.st_ino as u64)), stamp: stamp(stat) }
}

/// Time after which a further change of a file has another time (ours): file systems count in ticks of up to 10 ms, and old ones in
/// steps of up to 2 s.
const TICK: Duration = Duration::from_millis(100);
const OLD_TICK: Duration = Duration::from_secs(3);

#[allow(clippy::unnecessary_cast, reason = "the types of these numbers differ between systems")]
fn stamp(stat: &Stat) -> Option<Stamp> {
    let changed = Duration::new(u64::try_from(stat.st_ctime).ok()?, u32::try_from(stat.st_ctime_nsec).ok()?);
    let age = SystemTime::now().duration_since(UNIX_EPOCH + changed).ok()?;
    let tick = if changed.subsec_nanos() == 0 { OLD_TICK } else { TICK };
    let written = (stat.st_mtime as i64, stat.st_mtime_nsec as i64);
    (age > tick).then(|| Stamp::new(&(stat.st_dev as u64, stat.st_ino as u64, stat.st_size as i64, changed, written)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_same_paths_with_one_call_and_with_many() {
        let directory = tempfile::tempdir().expect("a directory can be made");
        let place = |path: &str| directory.path().join(path);
        std::fs::create_dir_all(place("a/b/c")).expect("a directory can be made");
        std::os::unix::fs::symlink("b", place("a/l")).expect("a link can be made");
        std::os::unix::fs::symlink(directory.path(), place("a/b/c/top")).expect("a link can be made");
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let top = || rustix::fs::openat(rustix::fs::CWD, directory.path(), flags, Mode::empty()).expect("it is there");
        for (path, is_there) in [("a", true), ("a/b/c", true), ("a/l", false), ("a/l/c", false), ("a/b/c/top/a", false)]
        {
            let by_many = component_by_component(&top(), path.into(), flags | OFlags::NOFOLLOW);
            assert_eq!(by_many.is_ok(), is_there, "{path}");
            if let Some(by_one) = beneath(&top(), Path::new(path), flags) {
                assert_eq!(by_one.is_ok(), is_there, "{path}");
            }
        }
    }
}
