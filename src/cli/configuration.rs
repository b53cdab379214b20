//! Errors in the configuration, for the commands that show no findings.

use bstr::ByteSlice;
use skilltree_lint::rule::{Finding, Severity, Subject};
use skilltree_report::render::escape;
use skilltree_skills::snapshot::{Body, File};

use super::output::Stderr;
use crate::session::Session;

/// Reports each error in a configuration file. An invalid setting has no effect, so the output may differ from what it asks
/// for.
pub(super) fn report(stderr: &Stderr, session: &Session) -> usize {
    let catalog = &session.report.catalog;
    let is_error = |finding: &&Finding| {
        finding.subject == Subject::Config && finding.severity == Severity::Error && finding.ignored.is_none()
    };
    let mut reported = 0;
    for finding in session.report.findings.iter().filter(is_error) {
        let file = catalog.file(finding.place.file);
        if !session.config.files.iter().any(|known| known.path == file.path) {
            continue;
        }
        reported += 1;
        let place = place(file, finding.place.range().start);
        stderr.info(&format!("warning: {place}: {}", escape::text(&finding.message)));
    }
    reported
}

/// Returns a place in a configuration file: `skilltree.toml:3`. A link, a pipe and a file over the size limit have no lines.
pub(super) fn place(file: &File, at: usize) -> String {
    let path = escape::path(file.path.as_bstr());
    match &file.body {
        Body::Text(text) => format!("{path}:{}", 1 + text.get(..at).unwrap_or_default().find_iter("\n").count()),
        _ => path,
    }
}
