//! Says why a check failed where reviewers look: in the formats of the run. Standard error has the same words.

use std::io::Write;

use skilltree_report::render::{self, Format, Options};

use super::args::{Check, Common};
use super::destination;
use super::files::Files;
use super::output;
use crate::failure::Failure;

/// Writes the failure to standard output and to the output files. A file that skilltree did not write keeps its content. If
/// this fails too, the first failure is the one to report.
pub(super) fn report(common: &Common, check: &Check, failure: &Failure) {
    to_stdout(common, check, failure);
    let mut files = Files::new(&common.watch);
    for (format, path) in &check.outputs {
        if format.reports_failure() && destination::may_report_failure(common, *format, path) {
            let _ = files.add(path, |out| write(*format, check, failure, out));
        }
    }
    let _ = files.persist();
}

/// Writes the failure to standard output only, for a run that must not write its files.
pub(super) fn to_stdout(common: &Common, check: &Check, failure: &Failure) {
    if check.format.reports_failure() && !check.statistics {
        let _ = output::data(common, |out| write(check.format, check, failure, out));
    }
}

fn write(format: Format, check: &Check, failure: &Failure, out: &mut dyn Write) -> std::io::Result<()> {
    let options = Options { sarif_category: check.sarif_category.clone(), ..Options::default() };
    render::write_failed(format, &failure.reason(), &options, out)
}
