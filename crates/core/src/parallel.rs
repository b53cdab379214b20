//! Maps over slices on all processors, or on this thread where the feature `rayon` is off. Results keep the order of the items.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// Returns the number of threads that share the work.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Maps each item.
pub(crate) fn map<'a, T: Sync, R: Send>(items: &'a [T], work: impl Fn(&'a T) -> R + Sync + Send) -> Vec<R> {
    map_init(items, || (), |(), item| work(item))
}

/// Maps each item, with one value per thread, such as a reader.
pub(crate) fn map_init<'a, T: Sync, S, R: Send>(
    items: &'a [T],
    init: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &'a T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return items.par_iter().map_init(init, work).collect();
    #[cfg(not(feature = "rayon"))]
    {
        let mut state = init();
        items.iter().map(|item| work(&mut state, item)).collect()
    }
}

/// Maps each run of `length` neighboring items to any number of results.
pub(crate) fn flat_map_runs<'a, T: Sync, R: Send>(
    items: &'a [T],
    length: usize,
    work: impl Fn(&'a [T]) -> Vec<R> + Sync + Send,
) -> Vec<R> {
    // Each run is freed as soon as it is moved: two copies of all results at a time would be the peak of a check's memory.
    #[cfg(feature = "rayon")]
    return {
        let runs: Vec<Vec<R>> = items.par_chunks(length).map(work).collect();
        let mut results = Vec::with_capacity(runs.iter().map(Vec::len).sum());
        runs.into_iter().for_each(|run| results.extend(run));
        results
    };
    #[cfg(not(feature = "rayon"))]
    items.chunks(length).flat_map(work).collect()
}
