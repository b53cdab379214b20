//! Findings that merge several places of a file, and the places where a change causes a finding.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::{Finding, State, Subject, Sweep};
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Mark, Rest};

/// One place of a finding that merges several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The place.
    pub place: Place,
    /// The fact about this place alone.
    pub message: String,
    /// The edit of this place as text.
    pub help: Option<String>,
    /// Content hash by which a comparison finds the place again.
    pub identity: [u8; 16],
    /// The number of places it represents: more than 1 only for those after the last known one.
    pub count: usize,
    /// State relative to the base; `None` without a base.
    pub state: Option<State>,
}

/// Where a new finding is shown if the change did not touch its file: the change then caused it in another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Elsewhere {
    /// Its own place is the only one.
    #[default]
    Nowhere,
    /// The other half of a pair of skills.
    Other {
        /// The other skill.
        subject: Subject,
        /// The place in it.
        place: Place,
        /// The fact about the other skill.
        message: String,
    },
    /// Any file of these skills directories, which the finding counts.
    Counted(Vec<RootId>),
}

impl Occurrence {
    /// Creates an occurrence that its text identifies.
    pub(crate) fn new(place: Place, message: impl Into<String>, text: &[u8]) -> Self {
        Self::known(place, message, text::digest(text))
    }

    /// Creates the occurrence of a match.
    pub(crate) fn of<T>(mark: &Mark<T>, message: impl Into<String>) -> Self {
        Self::known(mark.place, message, mark.identity)
    }

    /// Creates the occurrence of the matches that have no places.
    pub(crate) fn of_rest(rest: &Rest, count: usize, message: impl Into<String>) -> Self {
        Self { count, ..Self::known(rest.place, message, rest.identity) }
    }

    fn known(place: Place, message: impl Into<String>, identity: [u8; 16]) -> Self {
        Self { place, message: message.into(), help: None, identity, count: 1, state: None }
    }

    /// Returns the first occurrences, and the others as one more. Their order does not matter.
    pub(crate) fn limited(mut occurrences: impl Iterator<Item = Self>, most: usize) -> Vec<Self> {
        let mut known: Vec<Self> = occurrences.by_ref().take(most).collect();
        let Some(mut rest) = occurrences.next() else { return known };
        let others: Vec<Self> = occurrences.collect();
        if !others.is_empty() {
            let mut identities: Vec<[u8; 16]> =
                others.iter().map(|other| other.identity).chain([rest.identity]).collect();
            identities.sort_unstable();
            rest.identity.copy_from_slice(&Sha256::digest(identities.concat())[..16]);
            rest.count += others.iter().map(|other| other.count).sum::<usize>();
        }
        known.push(rest);
        known
    }

    /// Sets the edit as text.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl Finding {
    /// Shows the first occurrence that the base does not have, and the number of other such occurrences. The occurrences that
    /// the base has too are no longer related places.
    pub(crate) fn show_new(&mut self) {
        let is_new = |occurrence: &&Occurrence| occurrence.state == Some(State::New);
        let Some(first) = self.occurrences.iter().find(is_new) else { return };
        if self.occurrences.iter().all(|occurrence| is_new(&occurrence)) {
            return;
        }
        let count: usize = self.occurrences.iter().filter(is_new).map(|new| new.count).sum();
        let others = self.occurrences.iter().filter(is_new).skip(1);
        let others = others.map(|other| (other.place, other.message.clone())).collect();
        let (place, message, help) = (first.place, and_more(&first.message, count), first.help.clone());
        let related = std::mem::replace(&mut self.related, others);
        let is_occurrence = |place: Place| self.occurrences.iter().any(|occurrence| occurrence.place == place);
        self.related.extend(related.into_iter().filter(|(place, _)| !is_occurrence(*place)));
        (self.place, self.message, self.extent) = (place, message, count as u64);
        self.help = help.or(self.help.take());
    }

    /// Returns the finding about some of its occurrences only; `None` if there are none.
    pub(crate) fn part(&self, is_part: impl Fn(&Occurrence) -> bool) -> Option<Self> {
        let (part, others): (Vec<_>, Vec<_>) = self.occurrences.iter().cloned().partition(is_part);
        let first = part.first()?;
        let count: usize = part.iter().map(|occurrence| occurrence.count).sum();
        let is_other = |place: Place| others.iter().any(|other| other.place == place);
        let related = self.related.iter().filter(|(place, _)| *place != first.place && !is_other(*place));
        let edits = self.edits.iter().filter(|edit| !is_other(edit.place));
        let outside = others.iter().map(|other| other.place);
        Some(Self {
            place: first.place,
            message: and_more(&first.message, count),
            help: first.help.clone().or_else(|| self.help.clone()),
            extent: count as u64,
            related: related.cloned().collect(),
            edits: edits.cloned().collect(),
            sweep: self
                .sweep
                .clone()
                .map(|sweep| Sweep { outside: sweep.outside.into_iter().chain(outside).collect(), ..sweep }),
            occurrences: part,
            ..self.clone()
        })
    }

    /// Returns every known place.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let others = self.occurrences.iter().map(|occurrence| occurrence.place);
        std::iter::once(self.place).chain(others.filter(|&place| place != self.place))
    }

    /// Returns a finding for each occurrence, for formats that show each place by itself. The edits of a place go with it. A finding
    /// without occurrences is returned as it is.
    pub fn each(&self) -> Vec<Cow<'_, Self>> {
        if self.occurrences.len() < 2 {
            return vec![Cow::Borrowed(self)];
        }
        let is_occurrence = |place: Place| self.occurrences.iter().any(|occurrence| occurrence.place == place);
        let related: Vec<_> = self.related.iter().filter(|(place, _)| !is_occurrence(*place)).cloned().collect();
        let one = |occurrence: &Occurrence| {
            let edits = self.edits.iter().filter(|edit| edit.place == occurrence.place);
            Cow::Owned(Self {
                place: occurrence.place,
                message: and_more(&occurrence.message, occurrence.count),
                help: occurrence.help.clone().or_else(|| self.help.clone()),
                state: occurrence.state,
                extent: occurrence.count as u64,
                occurrences: Vec::new(),
                related: related.clone(),
                edits: edits.cloned().collect(),
                notes: self.notes.clone(),
                losses: self.losses.clone(),
                ignored: self.ignored.clone(),
                sweep: None,
                elsewhere: Elsewhere::Nowhere,
                ..self.clone()
            })
        };
        self.occurrences.iter().map(one).collect()
    }
}

/// Adds the number of other places to a fact.
pub(crate) fn and_more(message: &str, count: usize) -> String {
    match count.saturating_sub(1) {
        0 => message.to_owned(),
        others => format!("{message}, and {} more like it", text::grouped(others)),
    }
}
