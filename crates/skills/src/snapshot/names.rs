//! Lookup of paths in the names of a snapshot, without reading.

use bstr::{BStr, BString, ByteSlice};

use super::{Body, File};

/// Whether a path exists in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The path exists.
    Present,
    /// Unknown: the path leads into another repository, out of this one, or through a directory that cannot be read.
    Unknown,
    /// The path does not exist, but a path that differs only in letter case does.
    Spelled(BString),
    /// The path does not exist.
    Absent,
}

/// The names of the files below the roots, sorted by path.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    files: &'a [File],
}

impl<'a> Names<'a> {
    /// Creates the lookup from files that are sorted by path.
    pub fn new(files: &'a [File]) -> Self {
        Self { files }
    }

    /// Returns whether a file or a directory exists at a path.
    pub fn has(self, path: &BStr) -> bool {
        self.is_named(path) || self.is_named_below(path)
    }

    fn is_named(self, path: &BStr) -> bool {
        let from = self.first_from(path);
        self.files[from..].iter().take_while(|file| file.path == path).any(|file| file.body != Body::Absent)
    }

    fn is_named_below(self, directory: &BStr) -> bool {
        let prefix = BString::from([directory.as_bytes(), b"/"].concat());
        let first = self.files.get(self.first_from(prefix.as_bstr()));
        directory.is_empty() || first.is_some_and(|file| file.path.starts_with(&prefix) && file.body != Body::Absent)
    }

    /// Returns the index of the first file at or after a path.
    fn first_from(self, path: &BStr) -> usize {
        self.files.partition_point(|file| file.path.as_bstr() < path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Role;

    #[test]
    fn finds_files_and_directories_by_path() {
        let paths = ["r/a/SKILL.md", "r/a/x-y", "r/a/x/1", "r/a/x/2", "r/b/SKILL.md", "r/c/SKILL.md", "s"];
        let body = |path: &str| if path == "s" { Body::Absent } else { Body::NotRead };
        let files: Vec<File> = paths.iter().map(|path| File::new(*path, Role::Other, None, body(path))).collect();
        let has = |path: &str| Names::new(&files).has(path.into());
        for there in ["r", "r/a", "r/a/x", "r/a/x/2", "r/a/x-y", "r/c/SKILL.md", ""] {
            assert!(has(there), "{there}");
        }
        for missing in ["q", "r/a/x/3", "r/a/", "r/d", "s", "s/t", "z", "r/a/X/1"] {
            assert!(!has(missing), "{missing}");
        }
        assert!(!Names::new(&[]).has("a".into()));
    }
}
