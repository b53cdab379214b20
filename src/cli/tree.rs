//! Files of a work tree, written where nobody is surprised: never through a link, never over what was not read.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of the work tree")]

use std::fs;
use std::io;
use std::path::Path;

use skilltree::snapshot::Mode;

use super::failure::Failure;
use super::files::{self, Prepared};
use super::output::reason;
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

/// Writes other bytes into a file, beside and then in its place; its mode stays. What it held must be what was judged, and
/// no directory on the way may be a link.
///
/// # Errors
/// When it is another file by now, or the system refuses. The old file is intact then.
pub(super) fn rewrite(watch: &Watch, top: &Path, below: &Path, before: &[u8], after: &[u8]) -> Result<(), Failure> {
    let path = top.join(below);
    refuse_links(top, below)?;
    files::refuse_odd(&path)?;
    let metadata = fs::symlink_metadata(&path).map_err(|error| refused(below, &reason(&error)))?;
    if metadata.permissions().readonly() {
        return Err(refused(below, "it is read-only"));
    }
    let prepared = Prepared::new(watch, &path, |out| out.write_all(after))?;
    let kept = fs::set_permissions(&prepared.temporary, metadata.permissions());
    kept.map_err(|error| refused(below, &reason(&error)))?;
    watch.undisturbed(|| {
        let now = files::read(&path, before.len() as u64 + 1);
        if now.is_ok_and(|now| now == before) { prepared.persist() } else { Err(refused(below, "it has changed")) }
    })
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
