//! Reports several places of one file as a single finding.

use crate::characters::names;
use crate::rule::{Finding, Occurrence, Sink, and_more};
use crate::skill::{Marked, Marks, Skill};
use crate::text;

/// Reports one finding at the first place, with its help, and states the number of other places.
pub(super) fn report(sink: &mut Sink, occurrences: impl IntoIterator<Item = Occurrence>) -> Option<&mut Finding> {
    let occurrences: Vec<Occurrence> = occurrences.into_iter().collect();
    let first = occurrences.first()?;
    let count = occurrences.iter().map(|occurrence| occurrence.count).sum();
    let finding = sink.report(first.place, and_more(&first.message, count));
    finding.help.clone_from(&first.help);
    Some(finding.occurrences(occurrences).extent(count))
}

/// Returns the matches as occurrences. Those without places are the last one.
pub(super) fn of_marks<T>(marks: &Marks<T>, message: impl Fn(&T) -> String) -> Vec<Occurrence> {
    let mut occurrences: Vec<Occurrence> =
        marks.first.iter().map(|mark| Occurrence::of(mark, message(&mark.value))).collect();
    if let (Some(rest), Some(last)) = (&marks.rest, marks.first.last()) {
        let count = (marks.count as usize).saturating_sub(marks.first.len());
        occurrences.push(Occurrence::of_rest(rest, count, message(&last.value)));
    }
    occurrences
}

/// Returns marked characters as occurrences. The value of a field is one, because it can contain escapes, which have no places.
pub(super) fn of_marked(skill: &Skill, marked: &Marked, holder: &str, noun: &str) -> Vec<Occurrence> {
    let message = |characters: &[char], count| format!("{holder} contains {}", names::counted(noun, characters, count));
    if let Some(value) = marked.inside {
        let message = message(&marked.characters, marked.count);
        return vec![Occurrence::new(marked.place, message, skill.source(value))];
    }
    let mut occurrences: Vec<Occurrence> =
        marked.known.iter().map(|mark| Occurrence::of(mark, message(&[mark.value], 1))).collect();
    if let Some(rest) = &marked.rest {
        let more = text::grouped(marked.count - marked.known.len());
        occurrences.push(Occurrence::of_rest(rest, 1, format!("{holder} contains {more} more {noun}s")));
    }
    occurrences
}
