//! Selection of the edits of a round: the first of those that touch each other. The others wait for a later round.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::BString;

use super::{Obstacle, RejectedEdits, Request, obstacle};
use crate::lint::Report;
use crate::rule::Finding;

/// Edits of a finding, to be made together.
pub(super) struct Group {
    pub(super) finding: Finding,
    /// Ranges and their replacements, in file order.
    pub(super) edits: Vec<(Range<usize>, String)>,
}

/// Criteria of a round.
pub(super) struct Choice<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) rejected: &'a RejectedEdits,
    pub(super) alone: &'a BTreeSet<BString>,
    pub(super) unsafe_edits: bool,
}

impl Choice<'_> {
    /// Returns the edits by path.
    pub(super) fn of(&self, report: &Report) -> BTreeMap<BString, Vec<Group>> {
        let mut chosen: BTreeMap<BString, Vec<Group>> = BTreeMap::new();
        for finding in report.active().filter(|finding| self.is_selected(report, finding)) {
            let path = report.path(finding).to_owned();
            let groups = chosen.entry(path.clone()).or_default();
            groups.extend(group(finding));
        }
        for groups in chosen.values_mut() {
            groups.sort_by_key(|group| {
                (group.finding.line_ending.is_some(), group.edits.first().map(|edit| edit.0.start))
            });
            drop_overlapping(groups);
        }
        chosen.retain(|_, groups| !groups.is_empty());
        self.together_or_alone(chosen)
    }

    /// Returns the files whose edits can be made together, or else a single edit of one remaining file.
    fn together_or_alone(&self, mut chosen: BTreeMap<BString, Vec<Group>>) -> BTreeMap<BString, Vec<Group>> {
        if chosen.keys().any(|path| !self.alone.contains(path)) {
            chosen.retain(|path, _| !self.alone.contains(path));
            return chosen;
        }
        let mut first: BTreeMap<_, _> = chosen.pop_first().into_iter().collect();
        first.values_mut().for_each(|groups: &mut Vec<Group>| groups.truncate(1));
        first
    }

    fn is_selected(&self, report: &Report, finding: &Finding) -> bool {
        let path = report.path(finding);
        finding.offers_edit()
            && (self.unsafe_edits || finding.is_safe())
            && (self.request.is_wanted)(finding, path)
            && !self.rejected.contains_key(&super::key(path, finding))
            && match obstacle::find(report, finding.place.file, self.request.settings) {
                None => true,
                Some(Obstacle::Signature(_)) => self.request.signed,
                Some(Obstacle::Link | Obstacle::Elsewhere) => false,
            }
    }
}

/// Returns the edits of a finding in file order; `None` if two of them overlap.
fn group(finding: &Finding) -> Option<Group> {
    let mut edits: Vec<(Range<usize>, String)> =
        finding.edits.iter().map(|edit| (edit.place.range(), edit.text.clone())).collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let overlap = edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start);
    (!overlap).then(|| Group { finding: finding.clone(), edits })
}

/// Drops groups that touch an earlier one. A change of line endings touches everything.
fn drop_overlapping(groups: &mut Vec<Group>) {
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut is_first = true;
    groups.retain(|group| {
        let is_free = |(range, _): &(Range<usize>, String)| {
            taken.range(..=range.end).next_back().is_none_or(|(_, &end)| end < range.start)
        };
        let kept = if group.finding.line_ending.is_some() { is_first } else { group.edits.iter().all(is_free) };
        if kept {
            taken.extend(group.edits.iter().map(|(range, _)| (range.start, range.end)));
            is_first = false;
        }
        kept
    });
}
