//! How sure the statements about runtimes are.

use std::collections::{BTreeMap, BTreeSet};

use super::escape;
use skilltree_front_matter::text::grouped;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Finding, Loss};
use skilltree_runtimes::profile::{Basis, Profiles};

/// Maximum number of runtimes of one finding. A message names as many.
const NAMED: usize = 6;

/// Returns the runtimes that the findings say lose a skill, the most used first, each with its version and how it is known:
/// `runtimes: Claude Code 2.1.330, observed 2026-11; Codex 0.169.0, observed 2026-11`. `None` if no finding names one.
pub fn sources(report: &Report) -> Option<String> {
    line(&known(report.active().flat_map(|finding| &finding.losses)))
}

/// Returns the runtimes of the findings whose profile is old: what is said about them may no longer be true. `None` if there are
/// none, or the day is unknown.
pub fn old_sources(report: &Report, profiles: &Profiles) -> Option<String> {
    let today = report.catalog.parsed.time?.div_euclid(86_400);
    let ids: BTreeSet<&str> =
        report.active().flat_map(|finding| &finding.losses).map(|loss| &*loss.runtime.id).collect();
    let bases = ids.into_iter().filter_map(|id| Basis::of(profiles.find(id)?));
    let old: Vec<String> = bases.filter(|basis| basis.is_old(today)).map(|basis| basis.describe(Some(today))).collect();
    (!old.is_empty()).then(|| format!("old profiles: {}", escape::text(&old.join("; "))))
}

/// Returns the same for one finding, with the most used runtimes and the number of the others.
pub(super) fn of_finding(finding: &Finding) -> Option<String> {
    let mut shown = known(&finding.losses);
    let more = shown.len().saturating_sub(NAMED);
    if more > 0 {
        shown.truncate(NAMED);
        shown.push(format!("{} more", grouped(more)));
    }
    line(&shown)
}

/// Returns the version of each runtime and how it is known, the most used first.
pub(super) fn known<'r>(losses: impl IntoIterator<Item = &'r Loss>) -> Vec<String> {
    let runtimes = losses.into_iter().map(|loss| &loss.runtime);
    let known = runtimes.filter_map(|runtime| Some(((runtime.usage_rank, &*runtime.id), runtime.basis.as_deref()?)));
    let known: BTreeMap<_, _> = known.collect();
    known.into_values().map(escape::text).collect()
}

fn line(shown: &[String]) -> Option<String> {
    (!shown.is_empty()).then(|| format!("runtimes: {}", shown.join("; ")))
}
