//! The progress line on a terminal.
#![allow(clippy::disallowed_methods, reason = "it draws on standard error during a run")]

use std::io::{self, Write};

use skilltree_core::source::Progress;

/// The columns of the longest line.
pub(in crate::cli) const COLUMNS: usize = 72;

/// The columns of the bar.
const WIDTH: usize = 24;

/// Describes a step, with its progress if it is known.
pub(in crate::cli) fn words(doing: &str, progress: Option<&Progress>) -> String {
    match progress.map(|progress| (progress.done(), progress.all())) {
        Some((done, all)) if all > 0 => format!("{doing} ({done} of {all})"),
        _ => doing.to_owned(),
    }
}

/// Draws the line over the previous one.
pub(super) fn draw(doing: &str, progress: Option<&Progress>) {
    write(&line(doing, progress));
}

/// Clears the line.
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
    // `ESC [ K` erases the rest of a longer line.
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}
