//! Comparison of two reports: new, existing and fixed findings.
//!
//! Findings are matched by rule, file and text, so moving lines does not make them new. The place of a finding about
//! the accepted set, such as a cap, is the first skill over the cap and changes often, so such findings are matched by
//! root instead.

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

/// A report with its excerpts.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The report.
    pub report: &'a Report,
    /// Excerpts at the places of the report.
    pub excerpts: &'a Excerpts,
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// State of each finding of the head, in order.
    pub states: Vec<State>,
    /// Indices of the fixed findings of the base, without ignored ones.
    pub fixed: Vec<usize>,
}

/// Compares the findings of two reports that were made with the configuration of the head.
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
        alike.match_findings(&head.report.findings, &base.report.findings, &mut comparison);
    }
    comparison.fixed.retain(|&number| base.report.findings[number].ignored.is_none());
    comparison.fixed.sort_unstable();
    comparison
}

impl Comparison {
    /// Adds the states and the fixed findings to the report of the head.
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

    /// Marks the findings that another base has as existing, too: a merge has several parents.
    pub fn apply_existing(self, head: &mut Report) {
        for (finding, state) in head.findings.iter_mut().zip(self.states) {
            if state == State::Unchanged {
                finding.state = Some(state);
            }
        }
    }
}

/// Identity of a finding in a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    rule: &'static str,
    about: About<'a>,
    /// An ignored finding does not make an active one existing.
    ignored: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About<'a> {
    /// The accepted skills of a root, or of all roots if the path is empty.
    Set(&'a BStr),
    /// A text in a file of the base.
    Text(FileId, TextHash),
}

/// Returns the key of a finding; `None` if its file has no counterpart in the base.
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

/// Findings with the same key, by their indices in the two reports.
#[derive(Debug, Default)]
struct Alike {
    head: Vec<usize>,
    base: Vec<usize>,
}

impl Alike {
    /// Matches each finding of the head with one of the base that has at least the same rank.
    fn match_findings(mut self, head: &[Finding], base: &[Finding], comparison: &mut Comparison) {
        self.head.sort_by_key(|&number| std::cmp::Reverse(rank(&head[number])));
        self.base.sort_by_key(|&number| std::cmp::Reverse(rank(&base[number])));
        let mut before = self.base.iter().copied().peekable();
        let gone = self.base.len().saturating_sub(self.head.len());
        for number in self.head {
            // A finding that grew is new, and its smaller version in the base is not fixed.
            if before.next_if(|&before| rank(&base[before]) >= rank(&head[number])).is_some() {
                comparison.states[number] = State::Unchanged;
            }
        }
        // The number of fixed findings is the decrease in number. Take the unmatched ones with the lowest rank.
        let left: Vec<usize> = before.collect();
        comparison.fixed.extend(left.into_iter().rev().take(gone));
    }
}

fn rank(finding: &Finding) -> (Level, u64) {
    (finding.level, finding.extent)
}

#[cfg(test)]
mod tests;
