//! Loose objects that are not regular files.
#![allow(clippy::disallowed_methods, reason = "this looks at the files of the repository")]

use std::path::PathBuf;
use std::sync::OnceLock;

use super::layout;

/// Number of directories of loose objects, one per first byte of an id.
const FANS: usize = 256;

/// The entries of loose object directories that are not files. A directory is listed once, at the first lookup in it: a
/// packed repository has almost none.
pub(crate) struct Loose {
    directories: Vec<PathBuf>,
    irregular: Vec<OnceLock<Vec<String>>>,
}

impl Loose {
    pub(super) fn new(directories: Vec<PathBuf>) -> Self {
        Self { directories, irregular: vec![OnceLock::new(); FANS] }
    }

    /// Returns whether the path of a loose object is a pipe, a device or a directory.
    pub(super) fn is_irregular(&self, id: &gix::oid) -> bool {
        let irregular = self.irregular[usize::from(id.first_byte())].get_or_init(|| self.list(id.first_byte()));
        !irregular.is_empty() && irregular.contains(&id.to_hex().to_string()[2..].to_owned())
    }

    fn list(&self, fan: u8) -> Vec<String> {
        let listings = self.directories.iter().filter_map(|objects| objects.join(format!("{fan:02x}")).read_dir().ok());
        let entries = listings.flat_map(|listing| listing.filter_map(Result::ok));
        entries
            .filter(|entry| !layout::is_file(entry))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }
}
