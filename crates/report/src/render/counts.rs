//! Counts as `NAME=VALUE` lines: outputs of a GitHub Actions step, or a GitLab dotenv report.
//!
//! Every value is a number or a version, so no content of the tree can add a line.

use std::io::{self, Write};

use super::Options;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::Severity;

/// Writes one line per count. Without a base, every finding is new.
pub(super) fn write(report: &Report, _: &Excerpts, _: &Options, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "version={}", env!("CARGO_PKG_VERSION"))?;
    let fixed = report.base.as_ref().map_or(0, |base| base.fixed.len());
    let counts = [
        ("skills", report.catalog.parsed.skills.len()),
        ("errors", report.count(Severity::Error)),
        ("warnings", report.count(Severity::Warning)),
        ("notes", report.count(Severity::Note)),
        ("new", report.active().count()),
        ("existing", report.existing()),
        ("fixed", fixed),
        ("ignored", report.ignored()),
    ];
    counts.into_iter().try_for_each(|(name, number)| writeln!(out, "{name}={number}"))
}
