//! Reports several places of one file as a single finding.

use crate::rule::{Finding, Occurrence, Sink, and_more};
use skilltree_front_matter::text;
use skilltree_skills::characters::names;
use skilltree_skills::skill::{Marked, Marks, Skill};

/// Maximum number of places that a finding names. The others are its last occurrence.
pub(super) const KNOWN: usize = 32;

/// Reports one finding at the first place, with its help, and states the number of other places.
pub(crate) fn report(sink: &mut Sink, occurrences: impl IntoIterator<Item = Occurrence>) -> Option<&mut Finding> {
    let occurrences = Occurrence::limited(occurrences.into_iter(), KNOWN);
    let first = occurrences.first()?;
    let count = occurrences.iter().map(|occurrence| occurrence.count).sum();
    let finding = sink.report(first.place, and_more(&first.message, count));
    finding.help.clone_from(&first.help);
    Some(finding.occurrences(occurrences).extent(count))
}

/// Returns the matches as occurrences. Those without places are the last one.
pub(crate) fn of_marks<T>(marks: &Marks<T>, message: impl Fn(&T) -> String) -> Vec<Occurrence> {
    let mut occurrences: Vec<Occurrence> =
        marks.first.iter().map(|mark| Occurrence::of(mark, message(&mark.value))).collect();
    if let (Some(rest), Some(last)) = (&marks.rest, marks.first.last()) {
        let count = (marks.count as usize).saturating_sub(marks.first.len());
        occurrences.push(Occurrence::of_rest(rest, count, message(&last.value)));
    }
    occurrences
}

/// Reports the matches after those that have a finding each, as one finding at the first of them.
pub(super) fn report_rest<'s, T>(
    sink: &'s mut Sink,
    marks: &Marks<T>,
    message: impl Fn(String) -> String,
) -> Option<&'s mut Finding> {
    let count = (marks.count as usize).saturating_sub(marks.first.len());
    let rest = marks.rest.as_ref()?;
    report(sink, [Occurrence::of_rest(rest, 1, message(text::grouped(count)))])
}

/// Returns marked characters as occurrences. Those without places are the last one: further ones, and escapes in the value of a
/// field.
pub(super) fn of_marked(skill: &Skill, marked: &Marked, holder: &str, noun: &str) -> Vec<Occurrence> {
    let message = |value: &char| format!("{holder} contains {}", names::counted(noun, &[*value], 1));
    let mut occurrences: Vec<Occurrence> =
        marked.known.iter().map(|mark| Occurrence::of(mark, message(&mark.value))).collect();
    let more = marked.count.saturating_sub(marked.known.len());
    let all = if more == marked.count { "" } else { " more" };
    let more = format!("{holder} contains {}{all} {noun}s", text::grouped(more));
    if marked.count > marked.known.len() {
        occurrences.extend(match (marked.inside, &marked.rest) {
            (Some(value), _) => Some(Occurrence::new(value, more, skill.source(value))),
            (None, rest) => rest.as_ref().map(|rest| Occurrence::of_rest(rest, 1, more)),
        });
    }
    occurrences
}
