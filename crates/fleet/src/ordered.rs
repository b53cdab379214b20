//! Maps tasks on several threads, and takes the results in the order of the tasks.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// How far the threads are.
#[derive(Default)]
struct Position {
    /// The next task to begin.
    next: usize,
    /// The number of results that were taken.
    taken: usize,
    /// Whether no task may begin any more.
    stopped: bool,
}

/// Maps tasks on some threads. At most `window` results are in memory: no thread begins a task that is further ahead.
///
/// # Errors
/// Returns the first error of `take`; no task begins after it.
pub fn map<T: Sync, R: Send, E>(
    tasks: &[T],
    threads: usize,
    window: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let (position, changed) = (Mutex::new(Position::default()), Condvar::new());
    let lock = || position.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = || {
        let is_over = |position: &Position| position.stopped || position.next == tasks.len();
        let is_ahead = |position: &mut Position| !is_over(position) && position.next >= position.taken + window;
        let mut position = changed.wait_while(lock(), is_ahead).unwrap_or_else(PoisonError::into_inner);
        if is_over(&position) {
            return None;
        }
        position.next += 1;
        Some(position.next - 1)
    };
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..threads.min(tasks.len()) {
            let (sender, begin, work) = (sender.clone(), &begin, &work);
            let run = move || {
                while let Some(number) = begin() {
                    if sender.send((number, work(&tasks[number]))).is_err() {
                        break;
                    }
                }
            };
            // The threads that could be started do the work of the others.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut taken = 0;
        let mut in_order = |number: usize, result: R| {
            early.insert(number, result);
            while let Some(result) = early.remove(&taken) {
                if let Err(error) = take(&tasks[taken], result) {
                    lock().stopped = true;
                    changed.notify_all();
                    return Err(error);
                }
                taken += 1;
                lock().taken = taken;
                changed.notify_all();
            }
            Ok(())
        };
        results.into_iter().try_for_each(|(number, result)| in_order(number, result))?;
        // No thread could be started.
        while let Some(number) = begin() {
            in_order(number, work(&tasks[number]))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn takes_results_in_order_within_window() {
        let tasks: Vec<usize> = (0..200).collect();
        for (threads, window) in [(1, 1), (4, 3), (8, 500), (0, 2)] {
            let (begun, mut taken, mut ahead) = (AtomicUsize::new(0), Vec::new(), 0);
            let work = |task: &usize| {
                begun.fetch_add(1, Ordering::SeqCst);
                // The first of every ten is the slowest.
                thread::sleep(Duration::from_micros(if task.is_multiple_of(10) { 2_000 } else { 10 }));
                task * 2
            };
            let result: Result<(), ()> = map(&tasks, threads, window, work, |task, result| {
                assert_eq!(result, task * 2);
                ahead = ahead.max(begun.load(Ordering::SeqCst) - taken.len());
                taken.push(*task);
                Ok(())
            });
            assert_eq!((result, &taken), (Ok(()), &tasks), "{threads} threads, window {window}");
            assert!(ahead <= window, "{ahead} results with {threads} threads and window {window}");
        }
    }

    #[test]
    fn stops_at_first_error() {
        let begun = AtomicUsize::new(0);
        let tasks: Vec<usize> = (0..1_000).collect();
        let work = |_: &usize| begun.fetch_add(1, Ordering::SeqCst);
        let result = map(&tasks, 4, 8, work, |task, _| if *task == 5 { Err(*task) } else { Ok(()) });
        assert_eq!(result, Err(5));
        assert!(begun.load(Ordering::SeqCst) <= 16, "{begun:?} tasks began");
    }
}
