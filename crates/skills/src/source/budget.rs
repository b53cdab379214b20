//! Limits on listings: trees that share children look like any number of files.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Error;
use super::store::{Entry, Reader, Spot};
use crate::roots::Root;

/// Maximum entries below all roots (ours: 1,000,000), independent of the limit of one root: a few trees that share
/// children look like any number of files.
pub(crate) const ENTRIES: u64 = 1_000_000;

/// Maximum bytes of all paths below all roots (ours: 128 MiB).
const PATHS_BYTES: usize = 128 << 20;

/// What may still be listed below all roots.
pub(super) struct Budget {
    pub(super) entries: u64,
    path_bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { entries: ENTRIES, path_bytes: PATHS_BYTES }
    }
}

impl Budget {
    /// Returns what may be listed below one root.
    pub(super) fn allowance(&self, root_files: u64) -> Allowance {
        Allowance { root_files, all_files: self.entries, listed: AtomicU64::new(0) }
    }

    /// Subtracts the bytes of a path that is kept.
    pub(super) fn charge(&mut self, path_bytes: usize) -> Result<(), Error> {
        let left = self.path_bytes.checked_sub(path_bytes);
        self.path_bytes = left.ok_or(Error::TooLongTogether { limit: PATHS_BYTES })?;
        Ok(())
    }
}

/// The entries that may be listed below a root. Listings of one level are counted while they run in parallel: a level
/// may contain one large tree many times.
pub(super) struct Allowance {
    root_files: u64,
    all_files: u64,
    listed: AtomicU64,
}

impl Allowance {
    /// Returns the entries of a directory; `None` if the limit is exceeded.
    pub(super) fn children(&self, reader: &mut dyn Reader, directory: &Spot) -> Result<Option<Vec<Entry>>, Error> {
        let limit = self.root_files.min(self.all_files);
        if self.listed.load(Ordering::Relaxed) > limit {
            return Ok(None);
        }
        let entries = reader.children(directory)?;
        let count = entries.len() as u64;
        Ok(Some(entries).filter(|_| self.listed.fetch_add(count, Ordering::Relaxed) + count <= limit))
    }

    pub(super) fn error(&self, root: &Root) -> Error {
        if self.root_files <= self.all_files {
            return Error::TooMany { root: root.path.clone(), limit: self.root_files };
        }
        Error::TooManyTogether { limit: ENTRIES }
    }
}
