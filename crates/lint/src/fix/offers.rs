//! The findings that a fix could remove.

use super::obstacle;
use crate::lint::Report;
use crate::rule::Finding;
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
/// nothing there can be fixed.
pub fn fixable(report: &Report) -> impl Iterator<Item = &Finding> {
    let has_path = report.catalog.parsed.origin != Origin::StandardInput;
    let can_fix = move |finding: &&Finding| {
        has_path && finding.fixable() != [0; 2] && obstacle::find(report, finding.place.file, true).is_none()
    };
    report.active().filter(can_fix)
}

impl Offers {
    /// Counts findings that can be fixed.
    pub fn of<'a>(findings: impl Iterator<Item = &'a Finding>) -> Self {
        let mut offers = Self::default();
        for finding in findings {
            let [safe, unsafe_edits] = finding.fixable();
            offers.safe += safe;
            offers.unsafe_edits += unsafe_edits;
        }
        offers
    }
}
