//! How sure the statements about runtimes are.

use std::collections::BTreeMap;

use super::escape;
use skilltree_front_matter::text::grouped;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Finding, Loss};

/// Maximum number of runtimes of one finding. A message names as many.
const NAMED: usize = 6;

/// Returns the runtimes that the findings say lose a skill, the most used first, each with its version and how it is known:
/// `runtimes: Claude Code 2.1.330, observed 2026-11; Codex 0.169.0, observed 2026-11`. `None` if no finding names one.
pub fn sources(report: &Report) -> Option<String> {
    line(&known(report.active().flat_map(|finding| &finding.losses)))
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
