//! Edits of more places than a finding lists: the others are found in the text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::choice::Group;
use crate::rule::Sweep;
use skilltree_front_matter::text::Place;

/// Adds the characters that the findings delete elsewhere in the file. Characters that touch another edit wait for the
/// next round.
pub(super) fn complete(text: &[u8], groups: &mut [Group]) {
    if groups.iter().all(|group| group.finding.sweep.is_none()) {
        return;
    }
    // Rules see the text before the first byte that is not UTF-8.
    let text = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let edits = groups.iter().flat_map(|group| &group.edits);
    let mut taken: BTreeMap<usize, usize> = edits.map(|(range, _)| (range.start, range.end)).collect();
    for group in groups {
        let Some(sweep) = &group.finding.sweep else { continue };
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for range in deleted(text, sweep) {
            // Characters either overlap or are disjoint, and the listed edits of the group are among them.
            let is_free = taken.range(..range.end).next_back().is_none_or(|(_, &end)| end <= range.start);
            if is_free {
                taken.insert(range.start, range.end);
                edits.push((range, String::new()));
            }
        }
        group.edits.append(&mut edits);
        group.edits.sort_by_key(|(range, _)| (range.start, range.end));
    }
}

/// Returns the characters that a sweep deletes.
fn deleted(text: &str, sweep: &Sweep) -> impl Iterator<Item = Range<usize>> {
    let within = |range: &Range<usize>, place: &Place| place.contains(Place::new(place.file, range.clone()));
    let found = (sweep.find)(text).into_iter().map(|(at, character)| at..at + character.len_utf8());
    found.filter(move |range| {
        sweep.inside.as_ref().is_none_or(|place| within(range, place))
            && !sweep.outside.iter().any(|place| within(range, place))
    })
}
