//! Files that the caller names.
#![allow(clippy::disallowed_methods, reason = "the caller names the file")]

use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Reads the first bytes of a regular file, up to a limit. Nothing else is opened: reading a pipe or a device might never end.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the reason of an error as the end of a sentence.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
