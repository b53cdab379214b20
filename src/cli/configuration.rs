//! What is wrong with the configuration, for the commands that show no findings.

use bstr::ByteSlice;
use skilltree::render::escape;
use skilltree::rule::{Finding, Level, Subject};
use skilltree::snapshot::Body;

use super::output::Stderr;
use super::session::Session;

/// Says on standard error each error in the files of the configuration: what cannot be understood is not in force, and what
/// the command shows is then not what was asked for.
pub(super) fn tell(stderr: &Stderr, session: &Session) {
    let catalog = &session.report.catalog;
    let is_error = |finding: &&Finding| {
        finding.subject == Subject::Config && finding.level == Level::Error && finding.ignored.is_none()
    };
    for finding in session.report.findings.iter().filter(is_error) {
        let file = catalog.file(finding.place.file);
        if !session.config.files.iter().any(|known| known.path == file.path) {
            continue;
        }
        // What is no text has no line: a link, a pipe, a file that is too large.
        let line = match &file.body {
            Body::Text(text) => {
                let before = text.get(..finding.place.range().start).unwrap_or_default();
                format!(":{}", 1 + before.find_iter("\n").count())
            }
            _ => String::new(),
        };
        let path = escape::path(file.path.as_bstr());
        stderr.say(&format!("warning: {path}{line}: {}", escape::text(&finding.message)));
    }
}
