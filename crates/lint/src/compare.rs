//! Comparison of two reports: new, existing and fixed findings.
//!
//! Findings are matched by rule, file and text, so moving lines does not make them new. A finding that merges several places is
//! matched place by place. The place of a finding about the accepted set, such as a cap, is the first skill over the cap and
//! changes often, so such findings are matched by root instead.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use crate::excerpt::Excerpts;
use crate::lint::{Base, Fixed, Report};
use crate::rule::{Check, Finding, Severity, State, Subject, and_more};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_skills::snapshot::Origin;

mod cause;
mod deleted;
mod hidden;
mod mentions;
mod outline;
mod pairs;
mod policy;

use cause::Move;
pub use deleted::name_deleted;
pub use hidden::{Hidden, hidden};
pub use mentions::{Old, old, uses, words};
pub use outline::Outlines;
pub use pairs::Pairs;
pub use policy::Loosened;

/// A report with its excerpts.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The report.
    pub report: &'a Report,
    /// Excerpts at the places of the report.
    pub excerpts: &'a Excerpts,
}

/// Result of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// State of each place of each finding of the head, in order.
    states: Vec<Vec<State>>,
    /// Fixed findings of the base, without ignored ones.
    fixed: Vec<Fixed>,
    /// Findings in untouched files, with the files that the change touched.
    moves: BTreeMap<usize, Move>,
}

/// Compares the findings of two reports that were made with the configuration of the head.
pub fn compare(head: Side<'_>, base: Side<'_>, pairs: &Pairs<'_>) -> Comparison {
    let mut alike: BTreeMap<Key<'_>, Alike> = BTreeMap::new();
    for entry in entries(head) {
        if let Some(key) = entry.key(head, |file| pairs.base_of(file)) {
            alike.entry(key).or_default().head.push(entry);
        }
    }
    for entry in entries(base) {
        if let Some(key) = entry.key(base, Some) {
            alike.entry(key).or_default().base.push(entry);
        }
    }
    let new = |finding: &Finding| vec![State::New; finding.occurrences.len().max(1)];
    let mut states: Vec<Vec<State>> = head.report.findings.iter().map(new).collect();
    let mut fixed: Vec<Entry<'_>> = Vec::new();
    for alike in alike.into_values() {
        alike.match_entries(&mut states, &mut fixed);
    }
    match_rests(head, base, pairs, &mut states, &mut fixed);
    fixed.retain(|entry| entry.finding.ignored.is_none());
    fixed.sort_by_key(|entry| (entry.number, entry.occurrence));
    let fixed = fixed.chunk_by(|one, next| one.number == next.number).flat_map(|of_one| fixed_of(of_one, base.report));
    let fixed = fixed.collect();
    Comparison { states, fixed, moves: cause::moves(head.report, pairs) }
}

impl Comparison {
    /// Adds the comparison with another base: what it has is existing, too.
    pub fn add(&mut self, other: &Self) {
        for (states, others) in self.states.iter_mut().zip(&other.states) {
            for (state, &other) in states.iter_mut().zip(others) {
                *state = (*state).max(other);
            }
        }
    }

    /// Keeps the fixed findings that another comparison has, too: a finding that one base lacks was fixed before the change.
    pub fn keep_fixed(&mut self, other: &Self) {
        let known: BTreeSet<_> = other.fixed.iter().map(Fixed::key).collect();
        self.fixed.retain(|fixed| known.contains(&fixed.key()));
    }

    /// Adds the states and the fixed findings to the report of the head, and shows each new finding at a place that the change
    /// touched. Returns whether a finding moved to another file.
    pub fn apply(mut self, head: &mut Report, base: &Report) -> bool {
        let mut moved = false;
        for (number, (finding, states)) in head.findings.iter_mut().zip(self.states).enumerate() {
            for (occurrence, &state) in finding.occurrences.iter_mut().zip(&states) {
                occurrence.state = Some(state);
            }
            finding.state = states.into_iter().min();
            finding.show_new();
            if let (Some(State::New), Some(to)) = (finding.state, self.moves.remove(&number)) {
                to.apply(finding);
                moved = true;
            }
        }
        let (revision, commit) = match &base.catalog.parsed.origin {
            Origin::Tree { revision, commit } => (revision.clone(), *commit),
            _ => (String::new(), None),
        };
        head.base = Some(Base { revision, commit, fixed: self.fixed, missing: None });
        head.sort();
        moved
    }
}

/// Identity of a place of a finding in a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    rule: &'a str,
    about: About<'a>,
    /// An ignored finding does not make an active one existing.
    ignored: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About<'a> {
    /// The accepted skills of a root, or of all roots if the path is empty.
    Set(&'a BStr),
    /// A text in a file of the base.
    Text(FileId, [u8; 16]),
    /// The findings over the limit in a file of the base.
    Rest(FileId),
}

/// A place of a finding.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    finding: &'a Finding,
    /// Index of the finding in its report.
    number: usize,
    /// Index of the occurrence; 0 for a finding about one place.
    occurrence: usize,
}

/// Returns every place of every finding.
fn entries(side: Side<'_>) -> impl Iterator<Item = Entry<'_>> {
    side.report.findings.iter().enumerate().flat_map(|(number, finding)| {
        (0..finding.occurrences.len().max(1)).map(move |occurrence| Entry { finding, number, occurrence })
    })
}

impl<'a> Entry<'a> {
    /// Returns the key; `None` if the file has no counterpart in the base.
    fn key(&self, side: Side<'a>, base_of: impl Fn(FileId) -> Option<FileId>) -> Option<Key<'a>> {
        let finding = self.finding;
        let about = match (&finding.rule.check, finding.subject) {
            (Check::Set(_) | Check::Target(_), Subject::Root(root)) => {
                About::Set(side.report.catalog.root(root).path.as_bstr())
            }
            (Check::Set(_), _) => About::Set(b"".as_bstr()),
            _ if finding.is_rest => About::Rest(base_of(finding.place.file)?),
            _ => About::Text(base_of(finding.place.file)?, self.identity(side)),
        };
        Some(Key { rule: finding.rule.id(), about, ignored: finding.ignored.is_some() })
    }

    fn identity(&self, side: Side<'_>) -> [u8; 16] {
        let of_place = |place: Place| side.excerpts.get(place).text.bytes();
        self.finding
            .occurrences
            .get(self.occurrence)
            .map_or_else(|| of_place(self.finding.place), |known| known.identity)
    }

    /// Returns the severity and the size. The size of a finding that merges several places is their number, which the places
    /// themselves decide.
    fn rank(&self) -> (Severity, u64) {
        (self.finding.severity, if self.finding.occurrences.is_empty() { self.finding.extent } else { 0 })
    }
}

/// Returns the fixed places of a finding of the base; the finding itself if all of its places are fixed.
fn fixed_of(entries: &[Entry<'_>], base: &Report) -> Vec<Fixed> {
    let fixed = |finding: &Finding, message: String| {
        let path = BString::from(base.path(finding));
        Fixed { rule: finding.rule.clone(), severity: finding.severity, path, message }
    };
    match entries {
        [Entry { finding, .. }, ..] if entries.len() == finding.occurrences.len().max(1) => {
            vec![fixed(finding, finding.message.clone())]
        }
        _ => {
            let places = entries
                .iter()
                .filter_map(|entry| Some((entry.finding, entry.finding.occurrences.get(entry.occurrence)?)));
            places.map(|(finding, one)| fixed(finding, and_more(&one.message, one.count))).collect()
        }
    }
}

/// Matches findings with those that the other side counts without listing them. If the base counts more of a rule and file than the
/// head, that many new findings of the head are existing. If the head counts more, that many fixed findings of the base still exist.
fn match_rests(
    head: Side<'_>,
    base: Side<'_>,
    pairs: &Pairs<'_>,
    states: &mut [Vec<State>],
    fixed: &mut Vec<Entry<'_>>,
) {
    let mut rests: BTreeMap<(&str, FileId), (u64, u64)> = BTreeMap::new();
    for finding in head.report.findings.iter().filter(|finding| finding.is_rest) {
        if let Some(file) = pairs.base_of(finding.place.file) {
            rests.entry((finding.rule.id(), file)).or_default().0 += finding.extent;
        }
    }
    for finding in base.report.findings.iter().filter(|finding| finding.is_rest) {
        rests.entry((finding.rule.id(), finding.place.file)).or_default().1 += finding.extent;
    }
    if rests.is_empty() {
        return;
    }
    let mut hidden = rests.clone();
    for (finding, states) in head.report.findings.iter().zip(states.iter_mut()) {
        let rest = pairs.base_of(finding.place.file).and_then(|file| hidden.get_mut(&(finding.rule.id(), file)));
        if let Some((of_head, of_base)) = rest.filter(|_| states[..] == [State::New] && !finding.is_rest)
            && of_base > of_head
        {
            *of_base -= 1;
            states[0] = State::Unchanged;
        }
    }
    fixed.retain(|entry| {
        let key = (entry.finding.rule.id(), entry.finding.place.file);
        if entry.finding.is_rest {
            return hidden.get(&key).is_none_or(|(of_head, of_base)| of_base > of_head);
        }
        let Some((of_head, _)) = rests.get_mut(&key).filter(|(of_head, of_base)| of_head > of_base) else {
            return true;
        };
        *of_head -= 1;
        false
    });
    for (finding, states) in head.report.findings.iter().zip(states).filter(|(finding, _)| finding.is_rest) {
        let rest = pairs.base_of(finding.place.file).and_then(|file| rests.get(&(finding.rule.id(), file)));
        if rest.is_some_and(|(of_head, of_base)| of_head <= of_base) {
            states[0] = State::Unchanged;
        }
    }
}

/// Places with the same key.
#[derive(Debug, Default)]
struct Alike<'a> {
    head: Vec<Entry<'a>>,
    base: Vec<Entry<'a>>,
}

impl<'a> Alike<'a> {
    /// Matches each place of the head with one of the base that has at least the same rank.
    fn match_entries(mut self, states: &mut [Vec<State>], fixed: &mut Vec<Entry<'a>>) {
        self.head.sort_by_key(|entry| std::cmp::Reverse(entry.rank()));
        self.base.sort_by_key(|entry| std::cmp::Reverse(entry.rank()));
        let gone = self.base.len().saturating_sub(self.head.len());
        let mut before = self.base.into_iter().peekable();
        for entry in self.head {
            // A finding that grew is new, and its smaller version in the base is not fixed.
            if before.next_if(|before| before.rank() >= entry.rank()).is_some() {
                states[entry.number][entry.occurrence] = State::Unchanged;
            }
        }
        // The number of fixed findings is the decrease in number. Take the unmatched ones with the lowest rank.
        let left: Vec<Entry<'_>> = before.collect();
        fixed.extend(left.into_iter().rev().take(gone));
    }
}

#[cfg(test)]
mod tests;
