//! The thread pool.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};
use skilltree_front_matter::text::grouped;

use crate::failure::Failure;

/// The default cap of threads: each uses up to 32 MiB.
const DEFAULT: usize = 8;

/// The stack size of a thread: 2 MiB, Rust's default, regardless of `RUST_MIN_STACK`.
const STACK_BYTES: usize = 2 << 20;

/// The address space that a thread reserves: its stack, and its part of the heap, of which the C library of Linux reserves 64 MiB.
const RESERVED_BYTES: u64 = 72 << 20;

/// The address space for everything else.
const SHARED_BYTES: u64 = 256 << 20;

/// Returns the limit of address space in bytes: `ulimit -v`. Without memory, a program ends without a message.
#[cfg(unix)]
fn address_space() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}

/// Refuses more threads than the limit of address space allows.
///
/// # Errors
/// When the caller asked for them. The default number of threads is lowered instead.
fn allowed(jobs: Option<usize>, processors: usize) -> Result<usize, Failure> {
    let threads = |limit: u64| limit.saturating_sub(SHARED_BYTES) / RESERVED_BYTES;
    let most = address_space().and_then(|limit| usize::try_from(threads(limit)).ok()).unwrap_or(usize::MAX).max(1);
    match jobs {
        Some(jobs) if jobs > most => {
            let limit = grouped(address_space().unwrap_or_default() >> 20);
            let fact = format!("{jobs} threads need more memory than the limit of {limit} MiB");
            Err(Failure::new(fact).help(format!("use fewer: `--jobs {most}`, or raise `ulimit -v`")))
        }
        jobs => Ok(jobs.unwrap_or(processors.min(most))),
    }
}

/// Starts a pool of this thread and its helpers: `jobs` threads, or one per processor. It runs until it is dropped. With fewer
/// threads than requested, the result is the same.
///
/// # Errors
/// When there is not enough address space for the requested threads.
pub(super) fn start(jobs: Option<usize>) -> Result<ThreadPool, Failure> {
    let processors = thread::available_parallelism().map_or(1, |threads| threads.get().min(DEFAULT));
    let pool = ThreadPoolBuilder::new().num_threads(allowed(jobs, processors)?).use_current_thread();
    let pool = pool.spawn_handler(|helper| {
        // If a helper cannot be started, the other threads do its work.
        let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn(|| helper.run());
        Ok(())
    });
    // A global pool would wait until every helper runs.
    Ok(pool.build().expect("this thread is in no pool yet"))
}
