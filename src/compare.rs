//! Two reports side by side: what is new, what the base has already, what is gone.
//!
//! A finding is known again by its rule, its file and the text at its place: lines move, and a line number says nothing
//! of what was there before. A finding about the accepted set, such as a cap, stands wherever the first skill happens to
//! be that has no room, so it is known by its root instead.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::excerpt::{Excerpts, TextHash};
use crate::lint::{Base, Fixed, Report};
use crate::rule::{Check, Finding, Level, State, Subject};
use crate::snapshot::Origin;
use crate::text::FileId;

mod outline;
mod pairs;

pub use outline::Outlines;
pub use pairs::Pairs;

/// A report with the texts at its places.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The report.
    pub report: &'a Report,
    /// What stands at its places.
    pub excerpts: &'a Excerpts,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What each finding of the head is, in their order.
    pub states: Vec<State>,
    /// The findings of the base that are gone, ignored ones left out, by their numbers.
    pub fixed: Vec<usize>,
}

/// Compares the findings of two reports, both made under the configuration of the head.
pub fn compare(head: Side<'_>, base: Side<'_>, pairs: &Pairs<'_>) -> Comparison {
    let mut alike: BTreeMap<Key<'_>, Alike> = BTreeMap::new();
    for (number, finding) in head.report.findings.iter().enumerate() {
        if let Some(key) = key(finding, head, |file| pairs.base_of(file)) {
            alike.entry(key).or_default().head.push(number);
        }
    }
    for (number, finding) in base.report.findings.iter().enumerate() {
        if let Some(key) = key(finding, base, Some) {
            alike.entry(key).or_default().base.push(number);
        }
    }
    let mut comparison = Comparison { states: vec![State::New; head.report.findings.len()], fixed: Vec::new() };
    for alike in alike.into_values() {
        alike.settle(&head.report.findings, &base.report.findings, &mut comparison);
    }
    comparison.fixed.retain(|&number| base.report.findings[number].ignored.is_none());
    comparison.fixed.sort_unstable();
    comparison
}

impl Comparison {
    /// Writes into the report of the head what its findings are beside those of the base.
    pub fn apply(self, head: &mut Report, base: &Report) {
        for (finding, state) in head.findings.iter_mut().zip(self.states) {
            finding.state = Some(state);
        }
        let (revision, commit) = match &base.catalog.parsed.origin {
            Origin::Tree { revision, commit } => (revision.clone(), *commit),
            _ => (String::new(), None),
        };
        let fixed = self.fixed.into_iter().map(|number| {
            let finding = &base.findings[number];
            let path = BString::from(base.path(finding));
            Fixed { rule: finding.rule, level: finding.level, path, message: finding.message.clone() }
        });
        head.base = Some(Base { revision, commit, fixed: fixed.collect() });
    }
}

/// What a finding is known again by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    rule: &'static str,
    about: About<'a>,
    /// What was ignored does not excuse what no longer is.
    ignored: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About<'a> {
    /// The accepted skills of a root; of all roots when the path is empty.
    Set(&'a BStr),
    /// A text in a file of the base.
    Text(FileId, TextHash),
}

/// The key of a finding; `None` when its file has no counterpart in the base.
fn key<'a>(finding: &Finding, side: Side<'a>, base_of: impl Fn(FileId) -> Option<FileId>) -> Option<Key<'a>> {
    let about = match (&finding.rule.check, finding.subject) {
        (Check::Set(_) | Check::Target(_), Subject::Root(root)) => {
            About::Set(side.report.catalog.root(root).path.as_bstr())
        }
        (Check::Set(_), _) => About::Set(b"".as_bstr()),
        _ => About::Text(base_of(finding.place.file)?, side.excerpts.get(finding.place).text),
    };
    Some(Key { rule: finding.rule.id, about, ignored: finding.ignored.is_some() })
}

/// Findings that nothing tells apart, by their numbers in the two reports.
#[derive(Debug, Default)]
struct Alike {
    head: Vec<usize>,
    base: Vec<usize>,
}

impl Alike {
    /// Matches each finding of the head with one of the base that is at least as bad.
    fn settle(mut self, head: &[Finding], base: &[Finding], comparison: &mut Comparison) {
        self.head.sort_by_key(|&number| std::cmp::Reverse(badness(&head[number])));
        self.base.sort_by_key(|&number| std::cmp::Reverse(badness(&base[number])));
        let mut before = self.base.iter().copied().peekable();
        let gone = self.base.len().saturating_sub(self.head.len());
        for number in self.head {
            // One that grew is new; the smaller one that it was is not fixed.
            if before.next_if(|&before| badness(&base[before]) >= badness(&head[number])).is_some() {
                comparison.states[number] = State::Unchanged;
            }
        }
        // Of those that nothing matched as many are gone as there are fewer now, the mildest ones.
        let left: Vec<usize> = before.collect();
        comparison.fixed.extend(left.into_iter().rev().take(gone));
    }
}

fn badness(finding: &Finding) -> (Level, u64) {
    (finding.level, finding.extent)
}

#[cfg(test)]
mod tests;
