//! Which edits a round makes: of those that touch each other the first, the others in a later round if they are still
//! wanted then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::BString;

use super::{Obstacle, Refused, Request, is_safe, obstacle, offers_edit};
use crate::lint::Report;
use crate::rule::Finding;

/// The edits of a finding, all of them or none.
pub(super) struct Group {
    pub(super) finding: Finding,
    /// What is replaced and by what, in the order of the file.
    pub(super) edits: Vec<(Range<usize>, String)>,
}

/// What decides about a round.
pub(super) struct Choice<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) harm: &'a Refused,
    pub(super) alone: &'a BTreeSet<BString>,
    pub(super) unsafe_edits: bool,
}

impl Choice<'_> {
    /// The edits by path.
    pub(super) fn of(&self, report: &Report) -> BTreeMap<BString, Vec<Group>> {
        let mut chosen: BTreeMap<BString, Vec<Group>> = BTreeMap::new();
        for finding in report.standing().filter(|finding| self.is_made(report, finding)) {
            let path = report.path(finding).to_owned();
            let groups = chosen.entry(path.clone()).or_default();
            groups.extend(group(finding));
        }
        for groups in chosen.values_mut() {
            groups
                .sort_by_key(|group| (group.finding.line_end.is_some(), group.edits.first().map(|edit| edit.0.start)));
            apart(groups);
        }
        chosen.retain(|_, groups| !groups.is_empty());
        self.together_or_alone(chosen)
    }

    /// The files whose edits can be made together; when there are none left, one edit of one of the others.
    fn together_or_alone(&self, mut chosen: BTreeMap<BString, Vec<Group>>) -> BTreeMap<BString, Vec<Group>> {
        if chosen.keys().any(|path| !self.alone.contains(path)) {
            chosen.retain(|path, _| !self.alone.contains(path));
            return chosen;
        }
        let mut first: BTreeMap<_, _> = chosen.pop_first().into_iter().collect();
        first.values_mut().for_each(|groups: &mut Vec<Group>| groups.truncate(1));
        first
    }

    fn is_made(&self, report: &Report, finding: &Finding) -> bool {
        let path = report.path(finding);
        offers_edit(finding)
            && (self.unsafe_edits || is_safe(finding))
            && (self.request.is_wanted)(path)
            && !self.harm.contains_key(&(path.to_owned(), finding.rule.id))
            && match obstacle::find(report, finding.place.file, self.request.settings) {
                None => true,
                Some(Obstacle::Signature(_)) => self.request.signed,
                Some(Obstacle::Link | Obstacle::Elsewhere) => false,
            }
    }
}

/// The edits of a finding in the order of the file; `None` when two of them overlap, so that nobody could make them all.
fn group(finding: &Finding) -> Option<Group> {
    let mut edits: Vec<(Range<usize>, String)> =
        finding.edits.iter().map(|edit| (edit.place.range(), edit.text.clone())).collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let overlap = edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start);
    (!overlap).then(|| Group { finding: finding.clone(), edits })
}

/// Keeps the groups that touch none before them. Another line end touches everything.
fn apart(groups: &mut Vec<Group>) {
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut is_first = true;
    groups.retain(|group| {
        let is_free = |(range, _): &(Range<usize>, String)| {
            taken.range(..=range.end).next_back().is_none_or(|(_, &end)| end < range.start)
        };
        let kept = if group.finding.line_end.is_some() { is_first } else { group.edits.iter().all(is_free) };
        if kept {
            taken.extend(group.edits.iter().map(|(range, _)| (range.start, range.end)));
            is_first = false;
        }
        kept
    });
}
