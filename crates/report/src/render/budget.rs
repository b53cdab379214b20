//! Limits of formats that people read, and the findings that they leave out.

use std::io::{self, Write};

use super::{Options, summary};
use skilltree_lint::rule::{Finding, Severity};

/// Remaining number of findings and bytes. Errors are limited by bytes only.
pub(super) struct Budget {
    findings: u64,
    bytes: usize,
    is_spent: bool,
}

impl Budget {
    pub(super) fn new(findings: Option<u64>, bytes: usize) -> Self {
        Self { findings: findings.unwrap_or(u64::MAX), bytes, is_spent: false }
    }

    /// Returns whether a finding is shown if its text is short enough.
    pub(super) fn has_room(&self, finding: &Finding) -> bool {
        !self.is_spent && (self.findings > 0 || finding.severity == Severity::Error)
    }

    /// Returns whether the next finding is shown. After the first text that is too long, no more are.
    pub(super) fn take(&mut self, finding: &Finding, bytes: usize) -> bool {
        let fits = self.has_room(finding) && bytes <= self.bytes;
        self.is_spent |= bytes > self.bytes;
        if fits {
            self.findings = self.findings.saturating_sub(1);
            self.bytes -= bytes;
        }
        fits
    }
}

/// Findings that a format does not show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Omitted {
    /// Number of findings, or of SARIF results.
    pub number: usize,
    /// Number of errors among them.
    pub errors: usize,
}

impl Omitted {
    /// Counts the findings of a list.
    pub(super) fn of<'r>(findings: impl IntoIterator<Item = &'r Finding>) -> Self {
        let mut omitted = Self::default();
        findings.into_iter().for_each(|finding| omitted.add(finding));
        omitted
    }

    pub(super) fn add(&mut self, finding: &Finding) {
        self.number += 1;
        self.errors += usize::from(finding.severity == Severity::Error);
    }

    /// Describes them: `7 more findings are not shown, 2 of them errors`; `None` if there are none.
    pub fn words(&self) -> Option<String> {
        let are = if self.number == 1 { "is" } else { "are" };
        let errors = match self.errors {
            0 => String::new(),
            errors => format!(
                ", {} of them {}",
                skilltree_front_matter::text::grouped(errors),
                if errors == 1 { "an error" } else { "errors" }
            ),
        };
        (self.number > 0).then(|| format!("{} {are} not shown{errors}", summary::count(self.number, "more finding")))
    }

    /// Writes the words as the last line.
    pub(super) fn write(&self, options: &Options, out: &mut dyn Write) -> io::Result<()> {
        let limit = match options.text_bytes >> 10 {
            kibibytes if kibibytes < 1 << 10 => format!("{kibibytes} KiB"),
            kibibytes => format!("{} MiB", kibibytes >> 10),
        };
        self.words().map_or(Ok(()), |words| writeln!(out, "{words} (limits.shown-findings, {limit} of text)"))
    }
}
