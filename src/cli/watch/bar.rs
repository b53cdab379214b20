//! A line on a terminal that says how far a run has come.
#![allow(clippy::disallowed_methods, reason = "it draws on standard error while a run is not done")]

use std::io::{self, Write};

use skilltree::source::Progress;

/// The columns that the longest line needs.
pub(super) const COLUMNS: usize = 72;

/// The columns of the bar.
const WIDTH: usize = 24;

/// What is done, and how much of it where that is known.
pub(super) fn words(doing: &str, progress: Option<&Progress>) -> String {
    match progress.map(|progress| (progress.done(), progress.all())) {
        Some((done, all)) if all > 0 => format!("{doing} ({done} of {all})"),
        _ => doing.to_owned(),
    }
}

/// Draws the line over the one that was drawn before.
pub(super) fn draw(doing: &str, progress: Option<&Progress>) {
    write(&line(doing, progress));
}

/// Leaves an empty line, on which anything can be written.
pub(super) fn clear() {
    write("");
}

fn line(doing: &str, progress: Option<&Progress>) -> String {
    let words = words(doing, progress);
    match progress.map(|progress| (progress.done(), progress.all())) {
        Some((done, all)) if all > 0 => {
            let full = (done.min(all) * WIDTH) / all;
            format!("[{}{}] {words}", "#".repeat(full), " ".repeat(WIDTH - full))
        }
        _ => words,
    }
}

fn write(line: &str) {
    let mut stderr = io::stderr().lock();
    // `ESC [ K` erases what an earlier, longer line left.
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}
