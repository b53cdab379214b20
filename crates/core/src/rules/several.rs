//! Reports repeated occurrences in one file as a single finding.

use crate::rule::{Finding, Sink};
use crate::text::{self, Place};

/// Places shown after the first.
const SHOWN: usize = 8;

/// Reports one finding at the first place and states the number of other places. `count` is the total, which can exceed
/// the number of known places.
pub(super) fn report<'s>(
    sink: &'s mut Sink,
    places: impl IntoIterator<Item = Place>,
    count: usize,
    message: &str,
) -> Option<&'s mut Finding> {
    let mut places = places.into_iter();
    let first = places.next()?;
    let more = match count.saturating_sub(1) {
        0 => String::new(),
        others => format!(", and {} more like it", text::grouped(others)),
    };
    let finding = sink.report(first, format!("{message}{more}"));
    for other in places.take(SHOWN) {
        finding.related(other, "also here");
    }
    Some(finding.extent(count))
}
