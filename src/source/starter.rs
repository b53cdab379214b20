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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn what_is_started_is_started_once_and_not_for_a_few() {
        let times = Arc::new(AtomicUsize::new(0));
        let (starter, counted) = (Starter::default(), Arc::clone(&times));
        starter.start();
        starter.set(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let mut seen = Vec::new();
        for items in [0, MANY - 1, MANY, MANY] {
            starter.clone().before(items);
            seen.push(times.load(Ordering::SeqCst));
        }
        assert_eq!(seen, [0, 0, 1, 1]);
    }
}
