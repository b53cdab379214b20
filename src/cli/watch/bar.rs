//! The progress line on a terminal.
#![allow(clippy::disallowed_methods, reason = "it draws on standard error during a run")]

use std::io::{self, Write};
use std::time::Duration;

use skilltree_skills::source::Progress;

/// The columns of the longest line: a fleet of 99,999 repositories.
pub(in crate::cli) const COLUMNS: usize = 76;

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

/// Draws the line of a fleet: repositories, repositories per second, and the time left.
pub(super) fn draw_rate(progress: &Progress, elapsed: Duration) {
    let (done, all) = (progress.done(), progress.all());
    write(&format!("{} {}", bar(done, all), rate(done, all, elapsed)));
}

/// Describes the rate: `120 of 2000 repositories, 31/s, 1m left`. Nothing is known before the first is done.
fn rate(done: usize, all: usize, elapsed: Duration) -> String {
    let counted = format!("{done} of {all} repositories");
    let rate = done as f64 / elapsed.as_secs_f64().max(0.001);
    if done == 0 {
        return counted;
    }
    let left = (all.saturating_sub(done) as f64 / rate).ceil() as u64;
    let left = match left {
        0..=99 => format!("{left}s"),
        100..=5_999 => format!("{}m", left.div_ceil(60)),
        _ => format!("{}h", left.div_ceil(3_600)),
    };
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
    format!("{counted}, {rate}/s, {left} left")
}

/// Clears the line.
pub(super) fn clear() {
    write("");
}

fn line(doing: &str, progress: Option<&Progress>) -> String {
    let words = words(doing, progress);
    match progress.map(|progress| (progress.done(), progress.all())) {
        Some((done, all)) if all > 0 => format!("{} {words}", bar(done, all)),
        _ => words,
    }
}

fn bar(done: usize, all: usize) -> String {
    let full = (done.min(all) * WIDTH) / all.max(1);
    format!("[{}{}]", "#".repeat(full), " ".repeat(WIDTH - full))
}

fn write(line: &str) {
    let mut stderr = io::stderr().lock();
    // `ESC [ K` erases the rest of a longer line.
    let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_rate_and_time_left() {
        let shown = |done, all, seconds| rate(done, all, Duration::from_secs(seconds));
        assert_eq!(shown(0, 2_000, 5), "0 of 2000 repositories");
        assert_eq!(shown(31, 2_000, 1), "31 of 2000 repositories, 31/s, 64s left");
        assert_eq!(shown(50, 2_000, 10), "50 of 2000 repositories, 5.0/s, 7m left");
        assert_eq!(shown(99_999, 99_999, 100), "99999 of 99999 repositories, 1000/s, 0s left");
        let longest = shown(10_001, 99_999, 10);
        assert!(bar(1, 2).len() + 1 + longest.len() <= COLUMNS, "{longest}");
    }
}
