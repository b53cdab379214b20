//! Findings that a change causes in files that it does not add: they are shown where the change is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::pairs::Pairs;
use crate::lint::Report;
use crate::rule::{Check, Elsewhere, Finding, Subject};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_skills::roots::RootId;
use skilltree_skills::snapshot::{File, Role};

/// Label of the other skill of a pair.
const OTHER: &str = "already in the base";

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
            finding.related.insert(0, (from, OTHER.to_owned()));
        }
    }
}

/// Returns the findings that another file of the change is more likely to have caused, by number.
pub(super) fn moves(head: &Report, pairs: &Pairs<'_>) -> BTreeMap<usize, Move> {
    let mut causes: BTreeMap<(&[RootId], bool), Option<Place>> = BTreeMap::new();
    let mut moves = BTreeMap::new();
    for (number, finding) in head.findings.iter().enumerate() {
        let to = match &finding.elsewhere {
            Elsewhere::Nowhere => continue,
            Elsewhere::Other { subject, place, message } => {
                Some(Move { place: *place, other: Some((*subject, message.clone())) })
            }
            Elsewhere::Counted(roots) => {
                let only_skills = matches!(finding.rule.check, Check::Set(_) | Check::Target(_));
                let cause = || first_cause(head, roots, only_skills, pairs);
                let place = *causes.entry((roots, only_skills)).or_insert_with(cause);
                place.map(|place| Move { place, other: None })
            }
        };
        let is_cause = |to: &Move| pairs.novelty(to.place.file) > pairs.novelty(finding.place.file);
        moves.extend(to.filter(is_cause).map(|to| (number, to)));
    }
    moves
}

/// Returns the first skill or file of some skills directories that the change added, or else changed.
fn first_cause(head: &Report, roots: &[RootId], only_skills: bool, pairs: &Pairs<'_>) -> Option<Place> {
    let roots: BTreeSet<RootId> = roots.iter().copied().collect();
    let is_counted = |file: &File| {
        let is_kind = file.role == Role::Skill || (!only_skills && file.role != Role::Root);
        is_kind && file.root.is_some_and(|root| roots.contains(&root))
    };
    let files = head.catalog.files().filter(|(_, file)| is_counted(file));
    let order =
        |(id, file): &(FileId, &File)| (Reverse(pairs.novelty(*id)), file.role != Role::Skill, file.path.clone());
    let first = files.min_by_key(order)?.0;
    let skill = head.catalog.skills().find(|(_, skill)| skill.file == first);
    Some(skill.map_or(Place::whole(first), |(_, skill)| skill.name_place()))
}
