//! The threads that share the work.

use std::mem;
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Threads that are taken when nobody names a number (ours: 8): each keeps up to 32 MiB at hand.
const USUAL: usize = 8;

/// The stack of a thread (2 MiB, what Rust gives unless the environment says otherwise).
const STACK_BYTES: usize = 2 << 20;

/// Threads that wait to be started.
pub(super) struct Helpers {
    waiting: Vec<ThreadBuilder>,
    is_asked: bool,
}

/// Makes a pool of this thread and as many others as were asked for. It works before they are started, and comes to the same
/// result with any number of them.
pub(super) fn begin(jobs: Option<usize>) -> Helpers {
    let mut waiting = Vec::new();
    let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(USUAL)).use_current_thread();
    let pool = pool.spawn_handler(|work| {
        waiting.push(work);
        Ok(())
    });
    // It ends with the program.
    mem::forget(pool.build().expect("no thread is started, and this one is in no pool yet"));
    Helpers { waiting, is_asked: jobs.is_some() }
}

impl Helpers {
    /// Starts as many as were asked for, or as there are processors for; fewer where the system gives no more.
    pub(super) fn start(self) {
        let usual = || thread::available_parallelism().map_or(1, |threads| threads.get().min(USUAL));
        let others = if self.waiting.is_empty() || self.is_asked { self.waiting.len() } else { usual() - 1 };
        for work in self.waiting.into_iter().take(others) {
            if thread::Builder::new().stack_size(STACK_BYTES).spawn(|| work.run()).is_err() {
                return;
            }
        }
    }
}
