//! The thread pool.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The default cap of threads: each uses up to 32 MiB.
const DEFAULT: usize = 8;

/// The stack size of a thread: 2 MiB, Rust's default, regardless of `RUST_MIN_STACK`.
const STACK_BYTES: usize = 2 << 20;

/// Starts a pool of this thread and its helpers: `jobs` threads, or one per processor. It runs until it is dropped. With fewer
/// threads than requested, the result is the same.
pub(super) fn start(jobs: Option<usize>) -> ThreadPool {
    let processors = || thread::available_parallelism().map_or(1, |threads| threads.get().min(DEFAULT));
    let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or_else(processors)).use_current_thread();
    let pool = pool.spawn_handler(|helper| {
        // If a helper cannot be started, the other threads do its work.
        let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn(|| helper.run());
        Ok(())
    });
    // A global pool would wait until every helper runs.
    pool.build().expect("this thread is in no pool yet")
}
