//! The order of the findings in every format: what a reader must see first.

use std::cmp::Reverse;

use crate::rule::{Finding, Group, Loss, Severity};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Outcome;
use skilltree_runtimes::profile::Reported;

/// Sorts findings by severity, security, what they grant, what the most used runtime loses, and then by path and place.
pub(super) fn sort(findings: &mut Vec<Finding>, catalog: &Catalog) {
    findings.retain(|finding| !finding.is_off);
    findings.sort_by(|a, b| {
        let path = |finding: &Finding| &catalog.file(finding.place.file).path;
        path(a)
            .cmp(path(b))
            .then_with(|| (a.place.start, a.place.end, a.rule.id()).cmp(&(b.place.start, b.place.end, b.rule.id())))
            .then_with(|| a.message.cmp(&b.message))
    });
    findings.sort_by_cached_key(rank);
}

/// Rank of a finding: the least is shown first. Findings with the same rank are in the order of their paths.
fn rank(finding: &Finding) -> (Reverse<Severity>, bool, u8, (bool, Option<Consequence>)) {
    let worst = finding.losses.iter().map(consequence).min();
    (Reverse(finding.severity), finding.rule.group != Group::Security, finding.rank, (worst.is_none(), worst))
}

/// What a runtime does with the skill: whether it keeps a part of it, its rank by use, and how loudly it reports the loss.
type Consequence = (bool, Option<u32>, u8);

fn consequence(loss: &Loss) -> Consequence {
    let loudness = match loss.reported {
        Some(Reported::Nothing) => 0,
        None => 1,
        Some(Reported::Log) => 2,
        Some(Reported::Error) => 3,
    };
    (loss.outcome != Outcome::Drops, loss.runtime.usage_rank, loudness)
}
