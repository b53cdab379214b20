//! What the checks of a push print: those with errors first, within one limit for the whole push.

use std::collections::BTreeMap;

use skilltree_front_matter::text;
use skilltree_lint::rule::Severity;
use skilltree_report::render::{self, Format};

use crate::cli::args::Common;
use crate::cli::output::{self, Held, Stderr};
use crate::failure::Failure;

/// The limit of a push in bytes (ours): about 1,000 lines.
pub(super) const PUSH_BYTES: usize = 64 << 10;
/// The least that one of several checks may print, in bytes.
const CHECK_BYTES: usize = 4 << 10;

/// Returns the limit of one of some checks in bytes.
pub(super) fn share(checks: usize) -> usize {
    (PUSH_BYTES / checks.max(1)).max(CHECK_BYTES)
}

/// The results of a push, as far as they are printed.
#[derive(Default)]
pub(super) struct Results {
    kept: Vec<(Option<Severity>, usize, Held)>,
    /// The number of results.
    count: usize,
    /// The number of results that are not printed, by severity.
    omitted: BTreeMap<Option<Severity>, usize>,
}

impl Results {
    /// Adds the result of a check. The least severe results that exceed the limit are dropped.
    pub(super) fn add(&mut self, worst: Option<Severity>, held: Held) {
        self.kept.push((worst, self.count, held));
        self.count += 1;
        self.kept.sort_by_key(|(worst, number, _)| (std::cmp::Reverse(*worst), *number));
        let mut bytes = 0;
        let fits = self.kept.iter().take_while(|(.., held)| {
            bytes += held.bytes();
            bytes <= PUSH_BYTES
        });
        let fits = fits.count().max(1);
        for (worst, ..) in self.kept.drain(fits..) {
            *self.omitted.entry(worst).or_default() += 1;
        }
    }

    /// Prints the results, and the number of those that are not shown.
    pub(super) fn print(self, common: &Common) -> Result<(), Failure> {
        let stderr = Stderr::new(common);
        for (.., held) in &self.kept {
            output::stdout(common, |out| out.write_all(&held.findings))?;
            held.lines.iter().for_each(|line| stderr.line(line));
        }
        let all: usize = self.omitted.values().sum();
        if all > 0 {
            let kinds = [
                (Severity::Error, "with errors"),
                (Severity::Warning, "with warnings"),
                (Severity::Note, "with notes"),
            ];
            let omitted = |severity| self.omitted.get(&Some(severity)).copied().unwrap_or_default();
            let counts = kinds.iter().map(|&(severity, word)| (omitted(severity), word));
            let counts: Vec<String> = counts
                .filter(|(count, _)| *count > 0)
                .map(|(count, word)| format!("{} {word}", text::grouped(count)))
                .collect();
            let counts = if counts.is_empty() { String::new() } else { format!(" ({})", text::joined(&counts)) };
            let results = render::count(all, "result");
            let are = if all == 1 { "is" } else { "are" };
            stderr.line(&format!("{results}{counts} {are} not shown; the limit of a push is 64 KiB of text"));
        }
        Ok(())
    }
}

/// Returns whether the results of a format are held: a program reads the others, so they are written whole.
pub(super) fn holds(format: Format) -> bool {
    !format.is_data()
}
