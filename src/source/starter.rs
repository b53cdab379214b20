//! What is started when a run turns out to be more than a moment's work.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// So many directories, or skills, are worth more threads than one (ours: 32; to start a thread takes about as long as
/// reading ten skills).
const MANY: usize = 32;

/// Starts something once: before there is much to be read, or anything that has to be removed when the run is interrupted.
/// The caller says what it is; the threads that help and the one that watches are in the way of a small run.
#[derive(Clone, Default)]
pub struct Starter(Arc<Mutex<Option<Start>>>);

type Start = Box<dyn FnOnce() + Send>;

impl Starter {
    /// Says what is to be started.
    pub fn set(&self, start: impl FnOnce() + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(start));
    }

    /// Starts it, unless it was started before.
    pub fn start(&self) {
        let start = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(start) = start {
            start();
        }
    }

    /// Starts it before so many directories or skills are read, if that takes its time.
    pub(super) fn before(&self, items: usize) {
        if items >= MANY {
            self.start();
        }
    }
}

impl fmt::Debug for Starter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Starter")
    }
}
