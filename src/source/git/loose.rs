//! Loose objects that are no files.
#![allow(clippy::disallowed_methods, reason = "this looks at the files of the repository")]

use std::path::PathBuf;
use std::sync::OnceLock;

use super::layout;

/// Directories that loose objects are spread over, one for each value of the first byte of an id.
const FANS: usize = 256;

/// What stands in the directories of loose objects and is no file. A directory is listed once, when the first object of
/// it is asked for: in a repository that is packed there is almost none.
pub(in crate::source) struct Loose {
    directories: Vec<PathBuf>,
    odd: Vec<OnceLock<Vec<String>>>,
}

impl Loose {
    pub(super) fn new(directories: Vec<PathBuf>) -> Self {
        Self { directories, odd: vec![OnceLock::new(); FANS] }
    }

    /// Whether what stands in the place of a loose object is a pipe, a device or a directory.
    pub(super) fn is_odd(&self, id: &gix::oid) -> bool {
        let odd = self.odd[usize::from(id.first_byte())].get_or_init(|| self.list(id.first_byte()));
        !odd.is_empty() && odd.contains(&id.to_hex().to_string()[2..].to_owned())
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
