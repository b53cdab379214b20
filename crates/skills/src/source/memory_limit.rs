//! The limit of memory for what reading keeps: small objects, or one object at many paths, can contain any number of fields and links.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Error;

/// Maximum bytes of the skills, their reference files and lists (ours: 256 MiB; 100,000 skills with 500 bytes of front matter are within it).
const BYTES: usize = 256 << 20;

/// What the threads of one reading keep. The sum depends on the tree alone, so one thread exceeds the limit exactly if eight do.
#[derive(Debug, Default)]
pub(super) struct MemoryLimit {
    kept: AtomicUsize,
}

impl MemoryLimit {
    /// Adds bytes that are kept.
    ///
    /// # Errors
    /// If the limit is exceeded.
    pub(super) fn add(&self, bytes: usize) -> Result<(), Error> {
        // No sum wraps: after the limit nothing more is read.
        self.kept.fetch_add(bytes, Ordering::Relaxed);
        self.check()
    }

    /// Returns an error if the limit is exceeded. It comes before other errors, of which some are then not found.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.kept.load(Ordering::Relaxed) <= BYTES {
            true => Ok(()),
            false => Err(Error::TooMuchMemory { limit: BYTES }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_to_the_limit() {
        let memory = MemoryLimit::default();
        assert!(memory.add(BYTES - 1).is_ok() && memory.add(1).is_ok() && memory.check().is_ok());
        let error = memory.add(1).expect_err("one byte is over the limit");
        assert_eq!(error.to_string(), "the skills, their reference files and lists take more than 256 MiB of memory");
        assert!(memory.check().is_err() && memory.add(0).is_err());
    }
}
