//! How far a reading has come.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Starter;

/// Counts the skills that were read, for whoever waits. What it says decides nothing.
#[derive(Debug, Default)]
pub struct Progress {
    all: AtomicUsize,
    done: AtomicUsize,
    starter: Starter,
}

impl Progress {
    /// Counts nothing yet; before there is much to count the starter is asked.
    pub fn new(starter: Starter) -> Self {
        Self { starter, ..Self::default() }
    }

    pub(super) fn starter(&self) -> &Starter {
        &self.starter
    }

    /// How many skills there are; none before they are listed.
    pub fn all(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }

    /// How many of them were read.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    pub(super) fn begin(&self, all: usize) {
        self.starter.before(all);
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }

    pub(super) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
