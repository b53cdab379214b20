//! Progress of a read.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the skills or repositories that were read, for a progress display only.
#[derive(Debug, Default)]
pub struct Progress {
    all: AtomicUsize,
    done: AtomicUsize,
}

impl Progress {
    /// Returns how many there are; 0 before they are listed.
    pub fn all(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }

    /// Returns how many were read.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Begins to count to a number.
    pub fn begin(&self, all: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }

    /// Counts one.
    pub fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
