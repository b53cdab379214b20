//! Writes files of a working tree: never through a link, and never over content that was not read.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of the working tree")]

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use skilltree_front_matter::text::grouped;
use skilltree_skills::snapshot::Mode;

use super::files::{self, Prepared};
use super::output::Stderr;
use super::watch::Watch;
use crate::failure::Failure;
use crate::file::{self, reason};

/// Creates a file and its directories. No existing directory of its path may be a link.
///
/// # Errors
/// When the path exists, or cannot be written.
pub(super) fn create(watch: &Watch, top: &Path, below: &Path, bytes: &[u8], mode: Mode) -> Result<(), Failure> {
    let path = top.join(below);
    if path.symlink_metadata().is_ok() {
        return Err(Failure::new(format!("`{}` already exists", below.display()))
            .help("move it away first; it was not changed"));
    }
    refuse_links(top, below)?;
    let unwritable = |error: &io::Error| files::unwritable(&path, error);
    fs::create_dir_all(path.parent().unwrap_or(top)).map_err(|error| unwritable(&error))?;
    let prepared = Prepared::new(watch, &path, |out| out.write_all(bytes))?;
    if mode == Mode::Executable {
        make_executable(&prepared.temporary).map_err(|error| unwritable(&error))?;
    }
    watch.uninterrupted(|| prepared.temporary.persist_noclobber(&path)).map_err(|error| unwritable(&error.error))
}

/// Replaces a file atomically. It keeps the mode, and the owner and group if the system allows that; otherwise it warns. No directory
/// of the path may be a link.
///
/// # Errors
/// When the file no longer contains `before`, or cannot be written. The old file is intact then.
pub(super) fn rewrite(
    watch: &Watch,
    stderr: &Stderr,
    top: &Path,
    below: &Path,
    before: &[u8],
    after: &[u8],
) -> Result<(), Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_special(&path)?;
    let metadata = fs::symlink_metadata(&path).map_err(|error| refused(below, &reason(&error)))?;
    if metadata.permissions().readonly() {
        return Err(refused(below, "it is read-only"));
    }
    let prepared = Prepared::new(watch, &path, |out| out.write_all(after))?;
    // A change of owner clears bits of the mode, so the mode is set after it.
    let is_owned = keep_owner(&prepared.temporary, &metadata);
    let kept = fs::set_permissions(&prepared.temporary, metadata.permissions());
    kept.map_err(|error| refused(below, &reason(&error)))?;
    watch.uninterrupted(|| {
        let now = file::read(&path, before.len() as u64 + 1);
        if now.is_ok_and(|now| now == before) {
            prepared.persist()
        } else {
            Err(refused(below, "it changed in the meantime"))
        }
    })?;
    if !is_owned {
        let message = format!("the owner or group of `{}` changed", below.display());
        stderr.warn(&message, Some("restore it with `chown`"));
    }
    Ok(())
}

/// Sets the owner and the group of a file. Returns whether it has both then.
#[cfg(unix)]
fn keep_owner(path: &Path, before: &fs::Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, lchown};
    let Ok(now) = fs::symlink_metadata(path) else { return false };
    let (user, group) = (before.uid(), before.gid());
    // A user who cannot change the owner may still change the group to one of theirs.
    let has_group = now.gid() == group || lchown(path, None, Some(group)).is_ok();
    let has_user = now.uid() == user || lchown(path, Some(user), None).is_ok();
    has_user && has_group
}

#[cfg(not(unix))]
fn keep_owner(_path: &Path, _as_was: &fs::Metadata) -> bool {
    true
}

/// A lock on a directory: no other run of skilltree writes there.
pub(super) struct Lock {
    _directory: Option<fs::File>,
}

/// Locks the directory of a file, and creates it if it is missing. Waits for other runs of skilltree; the lock ends on drop or exit. The
/// file itself cannot be locked, because a write replaces it, and a lock file would remain. Only Unix has locks; elsewhere a file
/// that another run changed is not written.
///
/// # Errors
/// When a directory of the path is a link, or cannot be locked.
pub(super) fn lock(top: &Path, below: &Path) -> Result<Lock, Failure> {
    refuse_links(top, below)?;
    let directory = top.join(below.parent().unwrap_or(Path::new("")));
    let locked = fs::create_dir_all(&directory).and_then(|()| locked(&directory));
    locked.map(|directory| Lock { _directory: directory }).map_err(|error| refused(below, &reason(&error)))
}

#[cfg(unix)]
fn locked(directory: &Path) -> io::Result<Option<fs::File>> {
    let directory = fs::File::open(directory)?;
    rustix::io::retry_on_intr(|| rustix::fs::flock(&directory, rustix::fs::FlockOperation::LockExclusive))?;
    Ok(Some(directory))
}

#[cfg(not(unix))]
fn locked(_directory: &Path) -> io::Result<Option<fs::File>> {
    Ok(None)
}

/// Bytes to write after the first bytes of a file.
pub(super) struct Appended {
    /// The number of bytes to keep.
    pub(super) keep: usize,
    /// The text after them.
    pub(super) text: String,
}

/// Appends bytes to a file in one write, and syncs it.
///
/// # Errors
/// When it is not a regular file, or cannot be written. The file is unchanged then.
pub(super) fn append(_lock: &Lock, top: &Path, below: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_special(&path)?;
    append_all(&path, bytes).map_err(|error| refused(below, &reason(&error)))
}

/// Truncates a file to the bytes to keep, and appends the text.
///
/// # Errors
/// As [`append`].
pub(super) fn truncate_and_append(lock: &Lock, top: &Path, below: &Path, appended: &Appended) -> Result<(), Failure> {
    let path = top.join(below);
    files::refuse_special(&path)?;
    if path.metadata().is_ok_and(|metadata| metadata.len() > appended.keep as u64) {
        let truncated = open(&path).and_then(|file| file.set_len(appended.keep as u64));
        truncated.map_err(|error| refused(below, &reason(&error)))?;
    }
    append(lock, top, below, appended.text.as_bytes())
}

fn append_all(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open(path)?;
    let before = file.metadata()?.len();
    let written = file.write(bytes);
    if !written.as_ref().is_ok_and(|&written| written == bytes.len()) {
        file.set_len(before)?;
        written?;
        return Err(io::Error::other("only a part of it was written"));
    }
    file.sync_all()
}

/// Opens a file to append to, and creates it if it is missing. A link is not followed.
fn open(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options.open(path)
}

/// Reads a regular file of the working tree, up to a limit in bytes; `None` if it does not exist.
///
/// # Errors
/// When it is a special file, larger than the limit, or cannot be read.
pub(super) fn current(top: &Path, below: &Path, limit: u64) -> Result<Option<Vec<u8>>, Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_special(&path)?;
    match file::read(&path, limit + 1) {
        Ok(bytes) if bytes.len() as u64 > limit => {
            Err(refused(below, &format!("it has more than {} bytes", grouped(limit))))
        }
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(below, &reason(&error))),
    }
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::new(format!("`{}` was not written: {why}", path.display()))
        .help("fix the problem and run the command again")
}

/// Refuses a path through a link: every existing parent must be a directory.
fn refuse_links(top: &Path, below: &Path) -> Result<(), Failure> {
    let mut directories = below.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
    let is_special = |path: &&Path| top.join(path).symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
    match directories.find(is_special) {
        Some(special) => Err(refused(below, &format!("`{}` is a symbolic link or not a directory", special.display()))),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)?.permissions().mode();
    // Execute permission for everyone with read permission.
    fs::set_permissions(path, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
