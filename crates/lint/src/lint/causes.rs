//! Findings with the same cause.

use std::collections::BTreeMap;

use crate::rule::{Finding, Severity};

/// Keeps one finding per cause. Two findings with the same edits have the same cause; the more severe one stays, and the first of
/// equal ones.
pub(super) fn keep_one_each(findings: &mut Vec<Finding>) {
    let mut best: BTreeMap<_, (Severity, usize)> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        if let Some(key) = key(finding) {
            let kept = best.entry(key).or_insert((finding.severity, number));
            if kept.0 < finding.severity {
                *kept = (finding.severity, number);
            }
        }
    }
    let is_kept: Vec<bool> = findings
        .iter()
        .enumerate()
        .map(|(number, finding)| key(finding).is_none_or(|key| best[&key].1 == number))
        .collect();
    let mut is_kept = is_kept.into_iter();
    findings.retain(|_| is_kept.next().unwrap_or(true));
}

/// Returns the edits of a finding; `None` without edits, and for an ignored finding, which does not stand for others.
fn key(finding: &Finding) -> Option<Vec<(u32, u32, u32, &str)>> {
    let edits =
        finding.edits.iter().map(|edit| (edit.place.file.0, edit.place.start, edit.place.end, edit.text.as_str()));
    let counts = !finding.edits.is_empty() && finding.ignored.is_none() && !finding.is_off;
    counts.then(|| edits.collect())
}
