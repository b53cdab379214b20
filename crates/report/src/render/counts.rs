//! Counts as `NAME=VALUE` lines: outputs of a GitHub Actions step, or a GitLab dotenv report.
//!
//! Every value is a number, a version or the id of a commit, so no content of the tree can add a line.

use std::io::{self, Write};

use super::Options;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::Severity;

/// Writes one line per count. Without a base, every finding is new, and nothing is known of changed skills.
pub(super) fn write(report: &Report, _: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "version={}", env!("CARGO_PKG_VERSION"))?;
    if let Some(base) = report.compared().and_then(|base| base.commit) {
        writeln!(out, "base={base}")?;
    }
    let fixed = report.base.as_ref().map_or(0, |base| base.fixed.len());
    let counts = [
        ("skills", report.catalog.skill_count()),
        ("errors", report.count(Severity::Error)),
        ("warnings", report.count(Severity::Warning)),
        ("notes", report.count(Severity::Note)),
        ("new", report.active().count()),
        ("existing", report.existing()),
        ("fixed", fixed),
        ("ignored", report.ignored()),
    ];
    let changed = options.changes.as_ref().map(|changes| ("changed", changes.skills.len()));
    counts.into_iter().chain(changed).try_for_each(|(name, number)| writeln!(out, "{name}={number}"))
}
