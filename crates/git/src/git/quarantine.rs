//! Several object directories as one database: git names the quarantine of a push in the environment, which gix does
//! not read.
#![allow(clippy::disallowed_methods, reason = "a directory of this program's own stands for the others")]

use std::path::PathBuf;

use skilltree_core::source::OBJECT_BYTES;

use crate::temporary::Temporaries;

/// Joins object directories: a temporary directory lists all of them as alternates. Nothing is written into a
/// repository.
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
