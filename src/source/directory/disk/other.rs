//! Files by their paths, on systems without descriptors of directories.
#![allow(clippy::disallowed_methods, reason = "this reads the work tree")]

use std::fs::{self, File, Metadata};
use std::io;
use std::path::PathBuf;

use bstr::{BStr, BString};

use super::{Kind, Status};
use crate::source::os_path;

/// A directory of the disk.
pub(in crate::source::directory) struct Disk {
    top: PathBuf,
}

impl Disk {
    pub(in crate::source::directory) fn new(top: PathBuf) -> Self {
        Self { top }
    }

    /// The entries of a directory, in no order. What vanishes while it is listed is not there.
    pub(in crate::source::directory) fn list(&self, path: &BStr) -> io::Result<Vec<(BString, Status)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.path(path))? {
            let entry = entry?;
            let Ok(name) = gix::path::os_string_into_bstring(entry.file_name()) else { continue };
            match entry.metadata() {
                Ok(metadata) => entries.push((name, status(&metadata))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(entries)
    }

    /// What stands at a path.
    pub(in crate::source::directory) fn status(&self, path: &BStr) -> io::Result<Status> {
        Ok(status(&self.path(path).symlink_metadata()?))
    }

    /// Opens a file to read it.
    pub(in crate::source::directory) fn open(&self, path: &BStr) -> io::Result<(File, Status)> {
        let file = File::open(self.path(path))?;
        let status = status(&file.metadata()?);
        Ok((file, status))
    }

    /// The target of a link.
    pub(in crate::source::directory) fn target(&self, path: &BStr) -> io::Result<BString> {
        let target = gix::path::into_bstr(fs::read_link(self.path(path))?).map_err(io::Error::other)?;
        Ok(gix::path::to_unix_separators_on_windows(target).into_owned())
    }

    fn path(&self, path: &BStr) -> PathBuf {
        self.top.join(os_path(path))
    }
}

fn status(metadata: &Metadata) -> Status {
    let kind = metadata.file_type();
    let kind = if kind.is_dir() {
        Kind::Directory
    } else if kind.is_symlink() {
        Kind::Link
    } else if kind.is_file() {
        Kind::File
    } else {
        Kind::Special
    };
    Status { kind, executable: None, bytes: metadata.len(), identity: None }
}
