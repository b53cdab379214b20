//! Objects of several directories as one database: those of a push that is being received, which git names in the
//! environment, where gix does not look.
#![allow(clippy::disallowed_methods, reason = "a directory of this program's own stands for the others")]

use std::path::PathBuf;

use super::objects::OBJECT_BYTES;
use crate::source::Temporaries;

/// Joins directories of objects by a directory among the temporary ones of the system, in which git's own way of naming
/// others names all of them. Nothing is written into a repository.
pub(super) fn join(
    directories: &[PathBuf],
    hash: gix::hash::Kind,
    temporaries: &Temporaries,
) -> Option<(tempfile::TempDir, gix::OdbHandle)> {
    let mut alternates = Vec::new();
    for directory in directories {
        let directory = std::path::absolute(directory).ok()?;
        let bytes = gix::path::into_bstr(directory.as_path()).ok()?;
        if bytes.contains(&b'\n') {
            return None;
        }
        alternates.extend_from_slice(&bytes);
        alternates.push(b'\n');
    }
    let over = temporaries.directory().ok()?;
    std::fs::create_dir(over.path().join("info")).ok()?;
    std::fs::write(over.path().join("info/alternates"), alternates).ok()?;
    let options =
        gix::odb::store::init::Options { alloc_limit_bytes: usize::try_from(OBJECT_BYTES).ok(), ..Default::default() };
    let mut objects = gix::OdbHandle::new(gix::odb::at_opts(over.path(), hash, None, options).ok()?, hash);
    objects.take_object_memory();
    Some((over, objects))
}
