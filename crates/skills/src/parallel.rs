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
pub fn map<'a, T: Sync, R: Send>(items: &'a [T], work: impl Fn(&'a T) -> R + Sync + Send) -> Vec<R> {
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

/// Maps each item, with one value for each run of at most `length` neighboring items.
pub(crate) fn map_runs<'a, T: Sync, S, R: Send>(
    items: &'a [T],
    length: usize,
    init: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &'a T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return items.par_iter().with_max_len(length).map_init(init, work).collect();
    #[cfg(not(feature = "rayon"))]
    {
        let _ = length;
        map_init(items, init, work)
    }
}
