//! What stands at a path, as far as the names of a snapshot tell without any reading.

use bstr::{BStr, BString, ByteSlice};

use super::{Body, File};
use crate::text::FileId;

/// What a source says of a path that it was asked for by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Something stands there.
    Present,
    /// The path leads into another repository, out of this one, or through what cannot be read: nobody can tell.
    Unknown,
    /// Nothing stands there, but at a path that differs in letter case alone something does.
    Spelled(BString),
    /// Nothing stands there.
    Absent,
}

/// The names of the files below the roots, looked up from one of them: what is asked for lies near by.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    files: &'a [File],
    near: usize,
}

impl<'a> Names<'a> {
    /// The names of files that are sorted by path, as seen from one of them.
    pub fn new(files: &'a [File], near: FileId) -> Self {
        Self { files, near: near.index() }
    }

    /// Whether a file or a directory stands at a path.
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

    /// The number of the first file at or behind a path. The steps grow, so that a neighbour is found in a few.
    fn first_from(self, path: &BStr) -> usize {
        let is_before = |at: usize| self.files[at].path.as_bstr() < path;
        let (mut low, mut high) = (0, self.files.len());
        let mut step = 1;
        let mut at = self.near;
        while at < high && at >= low {
            if is_before(at) {
                low = at + 1;
                at = at.saturating_add(step);
            } else {
                high = at;
                at = at.wrapping_sub(step);
            }
            step *= 2;
        }
        low + self.files[low..high].partition_point(|file| file.path.as_bstr() < path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Role;

    #[test]
    fn a_path_is_found_from_wherever_it_is_asked() {
        let paths = ["r/a/SKILL.md", "r/a/x-y", "r/a/x/1", "r/a/x/2", "r/b/SKILL.md", "r/c/SKILL.md", "s"];
        let body = |path: &str| if path == "s" { Body::Absent } else { Body::NotRead };
        let files: Vec<File> = paths.iter().map(|path| File::new(*path, Role::Beside, None, body(path))).collect();
        for near in 0..paths.len() as u32 {
            let has = |path: &str| Names::new(&files, FileId(near)).has(path.into());
            for there in ["r", "r/a", "r/a/x", "r/a/x/2", "r/a/x-y", "r/c/SKILL.md", ""] {
                assert!(has(there), "{there} from {near}");
            }
            for missing in ["q", "r/a/x/3", "r/a/", "r/d", "s", "s/t", "z", "r/a/X/1"] {
                assert!(!has(missing), "{missing} from {near}");
            }
        }
        assert!(!Names::new(&[], FileId(0)).has("a".into()));
    }
}
