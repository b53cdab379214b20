//! What a change does for the model: the summary, and the diff of the prompt blocks.

use bstr::ByteSlice;
use serde::Serialize;

use crate::render::{count, escape};
use skilltree_lint::changes::Changes;

/// Maximum number of lines of the diff.
const LINES: usize = 5_000;

/// Changes since the base.
#[derive(Serialize)]
pub(super) struct Prompt {
    summary: String,
    lines: Vec<Line>,
    omitted: Option<String>,
}

/// A line of the diff, and its kind.
#[derive(Serialize)]
struct Line {
    kind: &'static str,
    text: String,
}

/// Prepares the diff.
pub(super) fn new(changes: &Changes) -> Prompt {
    let line = |line: &[u8]| Line { kind: kind(line), text: escape::text(&line.to_str_lossy()) };
    let all = changes.patch.lines().count();
    let words = || format!("{} not shown; `skilltree diff` prints all", count(all - LINES, "more line"));
    Prompt {
        summary: escape::text(&changes.summary()),
        lines: changes.patch.lines().take(LINES).map(line).collect(),
        omitted: (all > LINES).then(words),
    }
}

fn kind(line: &[u8]) -> &'static str {
    match line {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'@' | b'd', ..] => "head",
        [b'+', ..] => "added",
        [b'-', ..] => "removed",
        _ => "same",
    }
}
