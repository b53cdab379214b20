//! Findings that a change causes in files that it does not touch: they are shown where the change is.

use std::collections::BTreeMap;

use super::pairs::Pairs;
use crate::lint::Report;
use crate::roots::RootId;
use crate::rule::{Elsewhere, Finding, Subject};
use crate::select;
use crate::snapshot::{File, Role};
use crate::text::{FileId, Place};

/// Label of the place that a finding moved away from.
const MOVED_FROM: &str = "not touched by the change";

/// A new place of a finding.
#[derive(Clone, Debug)]
pub(super) struct Move {
    place: Place,
    /// The other skill of a pair, and the fact about it.
    other: Option<(Subject, String)>,
}

impl Move {
    pub(super) fn apply(self, finding: &mut Finding) {
        let from = std::mem::replace(&mut finding.place, self.place);
        if let Some((subject, message)) = self.other {
            finding.related.retain(|(place, _)| *place != self.place);
            (finding.subject, finding.message) = (subject, message);
        }
        finding.related.insert(0, (from, MOVED_FROM.to_owned()));
    }
}

/// Returns the findings in untouched files that a touched file can have caused, by number.
pub(super) fn moves(head: &Report, pairs: &Pairs<'_>) -> BTreeMap<usize, Move> {
    let mut touched: BTreeMap<&[RootId], Option<Place>> = BTreeMap::new();
    let mut moves = BTreeMap::new();
    for (number, finding) in head.findings.iter().enumerate() {
        if finding.elsewhere == Elsewhere::Nowhere || !pairs.is_untouched(finding.place.file) {
            continue;
        }
        let to = match &finding.elsewhere {
            Elsewhere::Nowhere => None,
            Elsewhere::Other { subject, place, message } => {
                let other = Some((*subject, message.clone()));
                (!pairs.is_untouched(place.file)).then_some(Move { place: *place, other })
            }
            Elsewhere::Counted(roots) => {
                let place = *touched.entry(roots).or_insert_with(|| first_touched(head, roots, pairs));
                place.map(|place| Move { place, other: None })
            }
        };
        moves.extend(to.map(|to| (number, to)));
    }
    moves
}

/// Returns the first skill or file of some skills directories that the change added, or else changed.
fn first_touched(head: &Report, roots: &[RootId], pairs: &Pairs<'_>) -> Option<Place> {
    let is_counted = |file: &File| file.root.is_some_and(|root| roots.contains(&root)) && file.role != Role::Root;
    let files = head.catalog.files().filter(|(_, file)| is_counted(file));
    let rank = |id: FileId, role| (pairs.base_of(id).is_some(), role != Role::Skill);
    let touched = files.filter(|(id, _)| !pairs.is_untouched(*id));
    let first = touched.min_by_key(|(id, file)| (rank(*id, file.role), &file.path))?.0;
    let skill = head.catalog.skills().find(|(_, skill)| skill.file == first);
    Some(skill.map_or(Place::whole(first), |(_, skill)| select::name_place(skill)))
}
