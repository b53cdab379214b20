//! Conversion of file system paths to paths of a source.
#![allow(clippy::disallowed_methods, reason = "links above a repository are followed as the shell followed them")]

use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::BString;
use skilltree_skills::source::Location;

/// The directory that paths of a source are relative to, as named and as resolved.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    named: PathBuf,
    real: PathBuf,
}

impl Base {
    pub(crate) fn new(directory: &Path) -> Self {
        let named = clean(&std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned()));
        let real = fs::canonicalize(directory).unwrap_or_else(|_| named.clone());
        Self { named, real }
    }
}

impl Location for Base {
    fn directory(&self) -> &Path {
        &self.real
    }

    /// Keeps links below the directory, and follows links above it.
    fn below(&self, path: &Path) -> Option<BString> {
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

/// Removes `.` and `..` from a path lexically.
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
