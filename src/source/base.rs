//! Paths of the disk as paths of a source.
#![allow(clippy::disallowed_methods, reason = "links above a repository are followed as the shell followed them")]

use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::BString;

/// The directory that paths of a source are relative to, as it was named and as it is.
#[derive(Clone, Debug)]
pub(super) struct Base {
    named: PathBuf,
    real: PathBuf,
}

impl Base {
    pub(super) fn new(directory: &Path) -> Self {
        let named = clean(&std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned()));
        let real = fs::canonicalize(directory).unwrap_or_else(|_| named.clone());
        Self { named, real }
    }

    /// The directory as it is: no component of it is a link.
    pub(super) fn real(&self) -> &Path {
        &self.real
    }

    /// The path below this directory that a path of the disk means. Links below the directory stay links; those above
    /// it are followed.
    pub(super) fn below(&self, path: &Path) -> Option<BString> {
        let path = clean(&std::path::absolute(path).ok()?);
        let as_named = path.strip_prefix(&self.named).or_else(|_| path.strip_prefix(&self.real));
        if let Ok(rest) = as_named {
            return slashes(rest);
        }
        let real = path.ancestors().find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
        let (ancestor, real) = real?;
        let real = real.join(path.strip_prefix(ancestor).ok()?);
        slashes(real.strip_prefix(&self.real).ok()?)
    }
}

/// A path without `.` and `..`, by its components alone.
fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                cleaned.pop();
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

fn slashes(path: &Path) -> Option<BString> {
    let bytes = gix::path::into_bstr(path).ok()?;
    Some(gix::path::to_unix_separators_on_windows(bytes).into_owned())
}
