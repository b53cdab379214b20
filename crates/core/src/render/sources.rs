//! How sure the statements about runtimes are, in one line.

use std::collections::BTreeMap;

use super::escape;
use crate::lint::Report;

/// Returns the runtimes that the findings say lose a skill, the most used first, each with its version and how it is known:
/// `runtimes: Claude Code 2.1.330, observed 2026-11; Codex 0.169.0, observed 2026-11`. `None` if no finding names one.
pub fn sources(report: &Report) -> Option<String> {
    let runtimes = report.active().flat_map(|finding| &finding.losses).map(|loss| &loss.runtime);
    let known = runtimes.filter_map(|runtime| Some(((runtime.usage_rank, &*runtime.id), runtime.basis.as_deref()?)));
    let known: BTreeMap<_, _> = known.collect();
    let shown: Vec<String> = known.into_values().map(escape::text).collect();
    (!shown.is_empty()).then(|| format!("runtimes: {}", shown.join("; ")))
}
