//! How much may be listed: trees that share their children look like any number of files.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Error;
use super::store::{Entry, Reader, Spot};
use crate::roots::Root;

/// Files and directories below all roots (ours: 1,000,000), whatever the limit of one root is: a few trees that share
/// their children look like any number of them.
const ENTRIES: u64 = 1_000_000;

/// Bytes of the paths of all files below all roots (ours: 128 MiB).
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
    /// What may be listed below one root.
    pub(super) fn allowance(&self, root_files: u64) -> Allowance {
        Allowance { root_files, all_files: self.entries, listed: AtomicU64::new(0) }
    }

    /// Takes the bytes of a path that is kept.
    pub(super) fn charge(&mut self, path_bytes: usize) -> Result<(), Error> {
        let left = self.path_bytes.checked_sub(path_bytes);
        self.path_bytes = left.ok_or(Error::TooLongTogether { limit: PATHS_BYTES })?;
        Ok(())
    }
}

/// Entries that may be listed below a root. The listings of a level are counted while they are made: it may hold one
/// large tree many times.
pub(super) struct Allowance {
    root_files: u64,
    all_files: u64,
    listed: AtomicU64,
}

impl Allowance {
    /// The entries of a directory; `None` when more was listed already than may be.
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
