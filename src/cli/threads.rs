//! The threads that share the work.

use std::io::ErrorKind;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Threads that are taken when nobody names a number (ours: 8): each keeps up to 32 MiB at hand, and starting one takes
/// longer than judging a skill.
const USUAL: usize = 8;

/// The stack of a thread (2 MiB, what Rust gives unless the environment says otherwise).
const STACK_BYTES: usize = 2 << 20;

/// Shares the work between this thread and as many others as were asked for, or as the system gives: with fewer of them
/// it takes longer and comes to the same result.
pub(super) fn start(jobs: Option<usize>) {
    let wanted = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, |threads| threads.get().min(USUAL)));
    // A pool that fails to start cannot be started again, so that its threads have to be there before it.
    let mut waiting: Vec<Sender<ThreadBuilder>> = (1..wanted).map_while(|_| helper()).collect();
    let pool = ThreadPoolBuilder::new().num_threads(waiting.len() + 1).use_current_thread();
    let pool = pool.spawn_handler(move |work| {
        // Every helper waits for its work, and none is asked for twice.
        waiting.pop().map_or(Ok(()), |helper| helper.send(work).map_err(|_| ErrorKind::BrokenPipe.into()))
    });
    pool.build_global().expect("every thread is there, and nobody began a pool before");
}

/// A thread that waits for its part of the pool; `None` where the system gives no more.
fn helper() -> Option<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let work = move || {
        if let Ok(work) = receiver.recv() {
            work.run();
        }
    };
    thread::Builder::new().stack_size(STACK_BYTES).spawn(work).is_ok().then_some(sender)
}
