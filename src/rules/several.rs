//! How a rule says what it found several times in one file: one finding, at the first, with the others counted.

use crate::rule::{Finding, Sink};
use crate::text::Place;

/// Places behind the first that are shown.
const SHOWN: usize = 8;

/// Reports the first of some places by a message, and the others by their number; `count` is all there are, of which no
/// more places may be known.
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
        others => format!(", and {others} more like it"),
    };
    let finding = sink.report(first, format!("{message}{more}"));
    for other in places.take(SHOWN) {
        finding.related(other, "like it");
    }
    Some(finding.extent(count))
}
