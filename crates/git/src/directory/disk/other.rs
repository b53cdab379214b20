//! Access by path, for systems without directory descriptors.
#![allow(clippy::disallowed_methods, reason = "this reads the work tree")]

use std::fs::{self, File, Metadata};
use std::io;
use std::path::PathBuf;

use bstr::{BStr, BString};
use skilltree_skills::source::os_path;

use super::{Kind, Linked, Status};

/// A directory in the file system.
pub(crate) struct Disk {
    top: PathBuf,
    linked: Linked,
}

impl Disk {
    pub(crate) fn new(top: PathBuf) -> Self {
        Self { top, linked: Linked::default() }
    }

    /// Reads these links as if they were directories.
    pub(crate) fn linked(self, linked: Linked) -> Self {
        Self { linked, ..self }
    }

    /// Returns the entries of a directory, unsorted. Entries that vanish meanwhile are skipped.
    pub(crate) fn list(&self, path: &BStr) -> io::Result<Vec<(BString, Status)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.path(path))? {
            let entry = entry?;
            let Ok(name) = gix::path::os_string_into_bstring(entry.file_name()) else { continue };
            match entry.metadata() {
                Ok(_) if self.linked.contains(path, name.as_ref()) => entries.push((name, Status::default())),
                Ok(metadata) => entries.push((name, status(&metadata))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(entries)
    }

    /// Returns the entries of a directory with their kinds only, unsorted.
    pub(crate) fn kinds(&self, path: &BStr) -> io::Result<Vec<(BString, Status)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.path(path))? {
            let entry = entry?;
            if let (Ok(name), Ok(kind)) = (gix::path::os_string_into_bstring(entry.file_name()), entry.file_type()) {
                let kind = if self.linked.contains(path, name.as_ref()) { Kind::Directory } else { self::kind(kind) };
                entries.push((name, Status { kind, ..Status::default() }));
            }
        }
        Ok(entries)
    }

    /// Returns the metadata of a path.
    pub(crate) fn status(&self, path: &BStr) -> io::Result<Status> {
        if self.linked.split(path).is_some_and(|(_, rest)| rest.is_empty()) {
            return Ok(Status::default());
        }
        Ok(status(&self.path(path).symlink_metadata()?))
    }

    /// Opens a file to read it.
    pub(crate) fn open(&self, path: &BStr) -> io::Result<(File, Status)> {
        let file = File::open(self.path(path))?;
        let status = status(&file.metadata()?);
        Ok((file, status))
    }

    /// Opens a path if it is a regular file.
    pub(crate) fn file(&self, path: &BStr) -> Option<(File, Status)> {
        let is_file = self.status(path).is_ok_and(|status| status.kind == Kind::File);
        is_file.then(|| self.open(path).ok())?
    }

    /// Returns the target of a link.
    pub(crate) fn target(&self, path: &BStr) -> io::Result<BString> {
        let target = gix::path::into_bstr(fs::read_link(self.path(path))?).map_err(io::Error::other)?;
        Ok(gix::path::to_unix_separators_on_windows(target).into_owned())
    }

    fn path(&self, path: &BStr) -> PathBuf {
        let (top, path) = self.linked.split(path).unwrap_or((&self.top, path));
        top.join(os_path(path))
    }
}

fn status(metadata: &Metadata) -> Status {
    Status { kind: kind(metadata.file_type()), executable: None, bytes: metadata.len(), identity: None, stamp: None }
}

fn kind(kind: fs::FileType) -> Kind {
    if kind.is_dir() {
        Kind::Directory
    } else if kind.is_symlink() {
        Kind::Link
    } else if kind.is_file() {
        Kind::File
    } else {
        Kind::Special
    }
}
