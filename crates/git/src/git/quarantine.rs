//! Several object directories as one database: git names the quarantine of a push in the environment, which gix does
//! not read.
#![allow(clippy::disallowed_methods, reason = "a directory of this program's own stands for the others")]

use std::io;
use std::path::PathBuf;

use skilltree_skills::source::{Error, OBJECT_BYTES};

use crate::temporary::Temporaries;

/// Joins object directories: a temporary directory lists all of them as alternates. Nothing is written into a
/// repository. `broken` makes an error of a reason.
pub(super) fn join(
    directories: &[PathBuf],
    hash: gix::hash::Kind,
    temporaries: &Temporaries,
    broken: impl Fn(String) -> Error,
) -> Result<(tempfile::TempDir, gix::OdbHandle), Error> {
    let alternates = alternates(directories).map_err(&broken)?;
    let unwritable = |error: io::Error| {
        let text = error.to_string();
        let reason = text.split([':', '(']).next().unwrap_or(&text).split(" at path").next().unwrap_or(&text);
        Error::Temporary { place: tempfile::env::temp_dir(), reason: reason.trim_end().to_lowercase() }
    };
    let over = temporaries.directory().map_err(unwritable)?;
    std::fs::create_dir(over.path().join("info")).map_err(unwritable)?;
    std::fs::write(over.path().join("info/alternates"), alternates).map_err(unwritable)?;
    let options =
        gix::odb::store::init::Options { alloc_limit_bytes: usize::try_from(OBJECT_BYTES).ok(), ..Default::default() };
    let opened = gix::odb::at_opts(over.path(), hash, None, options);
    let mut objects = gix::OdbHandle::new(opened.map_err(|_| broken(UNREADABLE.to_owned()))?, hash);
    objects.take_object_memory();
    Ok((over, objects))
}

/// The reason if an object directory cannot be opened.
const UNREADABLE: &str = "its object directories cannot be read";

/// Returns the file that lists object directories, one per line.
fn alternates(directories: &[PathBuf]) -> Result<Vec<u8>, String> {
    let mut lines = Vec::new();
    for directory in directories {
        let directory = std::path::absolute(directory).map_err(|_| UNREADABLE.to_owned())?;
        let bytes = gix::path::into_bstr(directory.as_path()).map_err(|_| UNREADABLE.to_owned())?;
        if bytes.contains(&b'\n') {
            return Err("the path of an object directory contains a line break".to_owned());
        }
        lines.extend_from_slice(&bytes);
        lines.push(b'\n');
    }
    Ok(lines)
}
