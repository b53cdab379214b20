//! The findings that a fix could remove.

use std::collections::BTreeMap;

use super::obstacle;
use crate::lint::Report;
use crate::rule::Finding;
use skilltree_skills::roots::{Owner, RootId};
use skilltree_skills::snapshot::Origin;

/// Number of active findings that can be fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Findings with safe edits.
    pub safe: usize,
    /// Findings with edits that may change the meaning.
    pub unsafe_edits: usize,
}

/// Counts the findings that can be fixed in a working tree with the linted content.
pub fn offers(report: &Report) -> Offers {
    Offers::of(fixable(report))
}

/// Returns the findings that can be fixed in a working tree with the linted content. Standard input has no path, so
/// nothing there can be fixed. A fix reads no skills directory outside the repository.
pub fn fixable(report: &Report) -> impl Iterator<Item = &Finding> {
    editable(report).filter(|finding| outside(report, finding).is_none())
}

/// Counts the findings that can be fixed in each skills directory outside the repository. An installed package has none:
/// its next version replaces the files.
pub fn offers_outside(report: &Report) -> BTreeMap<RootId, Offers> {
    let mut offers: BTreeMap<RootId, Offers> = BTreeMap::new();
    for finding in editable(report) {
        let root = outside(report, finding).filter(|root| report.catalog.root(*root).package.is_none());
        if let Some(root) = root {
            offers.entry(root).or_default().add(finding);
        }
    }
    offers
}

fn editable(report: &Report) -> impl Iterator<Item = &Finding> {
    let has_path = report.catalog.parsed.origin != Origin::StandardInput;
    let can_fix = move |finding: &&Finding| {
        has_path && finding.fixable() != [0; 2] && obstacle::find(report, finding.place.file, true).is_none()
    };
    report.active().filter(can_fix)
}

/// Returns the skills directory of a finding if it is outside the repository.
fn outside(report: &Report, finding: &Finding) -> Option<RootId> {
    let root = report.catalog.file(finding.place.file).root?;
    (report.catalog.root(root).owner != Owner::Repository).then_some(root)
}

impl Offers {
    /// Counts findings that can be fixed.
    pub fn of<'a>(findings: impl Iterator<Item = &'a Finding>) -> Self {
        let mut offers = Self::default();
        findings.for_each(|finding| offers.add(finding));
        offers
    }

    fn add(&mut self, finding: &Finding) {
        let [safe, unsafe_edits] = finding.fixable();
        self.safe += safe;
        self.unsafe_edits += unsafe_edits;
    }
}
