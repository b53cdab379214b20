//! Files of a work tree, written where nobody is surprised: never through a link, never over what was not read.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of the work tree")]

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use skilltree::snapshot::Mode;

use super::failure::Failure;
use super::files::{self, Prepared};
use super::output::{Stderr, reason};
use super::watch::Watch;

/// Writes a file where nothing is yet, making the directories on its way; none of those that are there may be a link.
///
/// # Errors
/// When something is there already, or the system refuses.
pub(super) fn create(watch: &Watch, top: &Path, below: &Path, bytes: &[u8], mode: Mode) -> Result<(), Failure> {
    let path = top.join(below);
    if path.symlink_metadata().is_ok() {
        return Err(Failure::new(format!("`{}` is there already", below.display())).help("it is left as it is"));
    }
    refuse_links(top, below)?;
    let unwritable = |error: &io::Error| files::unwritable(&path, error);
    fs::create_dir_all(path.parent().unwrap_or(top)).map_err(|error| unwritable(&error))?;
    let prepared = Prepared::new(watch, &path, |out| out.write_all(bytes))?;
    if mode == Mode::Executable {
        make_executable(&prepared.temporary).map_err(|error| unwritable(&error))?;
    }
    watch.undisturbed(|| prepared.temporary.persist_noclobber(&path)).map_err(|error| unwritable(&error.error))
}

/// Writes other bytes into a file, beside and then in its place; its mode stays, and its owner and group where the system
/// allows that, which is said where it does not. What it held must be what was judged, and no directory on the way may be a
/// link.
///
/// # Errors
/// When it is another file by now, or the system refuses. The old file is intact then.
pub(super) fn rewrite(
    (watch, stderr): (&Watch, &Stderr),
    top: &Path,
    below: &Path,
    before: &[u8],
    after: &[u8],
) -> Result<(), Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_odd(&path)?;
    let metadata = fs::symlink_metadata(&path).map_err(|error| refused(below, &reason(&error)))?;
    if metadata.permissions().readonly() {
        return Err(refused(below, "it is read-only"));
    }
    let prepared = Prepared::new(watch, &path, |out| out.write_all(after))?;
    // Another owner takes bits of the mode away, so that the mode comes second.
    let is_owned = keep_owner(&prepared.temporary, &metadata);
    let kept = fs::set_permissions(&prepared.temporary, metadata.permissions());
    kept.map_err(|error| refused(below, &reason(&error)))?;
    watch.undisturbed(|| {
        let now = files::read(&path, before.len() as u64 + 1);
        if now.is_ok_and(|now| now == before) { prepared.persist() } else { Err(refused(below, "it has changed")) }
    })?;
    if !is_owned {
        let message = format!("`{}` has another owner or group than it had", below.display());
        stderr.warn(&message, Some("give it back with `chown`"));
    }
    Ok(())
}

/// Gives a file the owner and the group that another one has. Whether it has both then.
#[cfg(unix)]
fn keep_owner(path: &Path, as_was: &fs::Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, lchown};
    let Ok(is) = fs::symlink_metadata(path) else { return false };
    let (user, group) = (as_was.uid(), as_was.gid());
    // Who may not give a file away may still give it to another of their groups.
    let has_group = is.gid() == group || lchown(path, None, Some(group)).is_ok();
    let has_user = is.uid() == user || lchown(path, Some(user), None).is_ok();
    has_user && has_group
}

#[cfg(not(unix))]
fn keep_owner(_path: &Path, _as_was: &fs::Metadata) -> bool {
    true
}

/// A directory in which no other run of this program writes.
pub(super) struct Lock {
    _directory: Option<fs::File>,
}

/// Waits until no other run of this program writes beside a file, and keeps the others waiting until it is dropped or the
/// program ends. The directory of the file is made where it is missing, and it is what is locked: a file beside it would be
/// left behind, and the file itself is replaced when it is written. Where the system is not Unix nothing is locked: there a
/// file that another run has changed is not written.
///
/// # Errors
/// When a directory on the way is a link, or the system refuses.
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

/// What is written behind the first bytes of a file.
pub(super) struct Appended {
    /// The bytes that stay.
    pub(super) keep: usize,
    /// What comes behind them.
    pub(super) text: String,
}

/// Writes bytes behind those of a file, in one write, and waits until the disk has them.
///
/// # Errors
/// When it is no regular file, or the system refuses; the file is as it was then.
pub(super) fn append(_lock: &Lock, top: &Path, below: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_odd(&path)?;
    append_whole(&path, bytes).map_err(|error| refused(below, &reason(&error)))
}

/// The same behind its first bytes: what came behind them goes.
///
/// # Errors
/// As [`append`].
pub(super) fn cut_and_append(lock: &Lock, top: &Path, below: &Path, appended: &Appended) -> Result<(), Failure> {
    let path = top.join(below);
    files::refuse_odd(&path)?;
    if path.metadata().is_ok_and(|metadata| metadata.len() > appended.keep as u64) {
        let cut = opened(&path).and_then(|file| file.set_len(appended.keep as u64));
        cut.map_err(|error| refused(below, &reason(&error)))?;
    }
    append(lock, top, below, appended.text.as_bytes())
}

fn append_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = opened(path)?;
    let before = file.metadata()?.len();
    let written = file.write(bytes);
    if !written.as_ref().is_ok_and(|&written| written == bytes.len()) {
        file.set_len(before)?;
        written?;
        return Err(io::Error::other("the disk took a part of it only"));
    }
    file.sync_all()
}

/// A file to write behind its end, made where nothing is. No link is followed to it.
fn opened(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options.open(path)
}

/// What a file of the work tree holds; `None` where nothing is. Only a regular file of at most so many bytes is read.
///
/// # Errors
/// When it is another thing or larger, or the system refuses.
pub(super) fn current(top: &Path, below: &Path, most: u64) -> Result<Option<Vec<u8>>, Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_odd(&path)?;
    match files::read(&path, most + 1) {
        Ok(bytes) if bytes.len() as u64 > most => Err(refused(below, &format!("it has more than {most} bytes"))),
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(below, &reason(&error))),
    }
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::new(format!("`{}` is not written: {why}", path.display())).help("mend that, and run the command again")
}

/// Refuses a way to a file that leads through a link: what is there on the way is a directory.
fn refuse_links(top: &Path, below: &Path) -> Result<(), Failure> {
    let mut directories = below.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
    let is_odd = |path: &&Path| top.join(path).symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
    match directories.find(is_odd) {
        Some(odd) => Err(refused(below, &format!("`{}` is a symbolic link or no directory", odd.display()))),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)?.permissions().mode();
    // Whoever may read it may run it.
    fs::set_permissions(path, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
