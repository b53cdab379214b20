//! A paragraph that its author wanted to write later.

use std::ops::Range;
use std::sync::LazyLock;

use super::STARTER_STEPS;
use super::hints::{Kind, Words};
use crate::skill::Unfinished;

/// Words with which such a paragraph begins, each with its mark.
const MARKS: [(&str, &str); 5] =
    [("TODO:", "TODO"), ("FIXME:", "FIXME"), ("TBD:", "TBD"), ("[TODO", "[TODO"), ("[Insert ", "[Insert")];

/// The words, searched together.
static WORDS: LazyLock<Words> = LazyLock::new(|| Words::new(MARKS.map(|(begins, _)| (begins, Kind::Unfinished))));

/// Finds the text of the starter skill, or the first paragraph outside of code that begins with a mark.
pub(super) fn find(body: &str, is_code: impl Fn(usize) -> bool) -> Option<(Range<usize>, Unfinished)> {
    // The text of the starter skill has one of the words, too.
    let mut hints = WORDS.find(body, 0).peekable();
    hints.peek()?;
    if let Some(at) = body.find(STARTER_STEPS) {
        return Some((at..at + STARTER_STEPS.len(), Unfinished::Starter));
    }
    let first = hints.find(|hint| begins_paragraph(&body[..hint.start]) && !is_code(hint.start))?;
    let (_, mark) = MARKS.iter().find(|(begins, _)| *begins == &body[first.start..first.end])?;
    Some((first.start..first.start + mark.len(), Unfinished::Paragraph(mark)))
}

/// Returns whether a paragraph begins after a text: at the start, after a blank line, or after a heading.
fn begins_paragraph(before: &str) -> bool {
    let Some(above) = before.strip_suffix('\n') else { return before.is_empty() };
    let line = above.rsplit('\n').next().unwrap_or(above);
    line.trim().is_empty() || line.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Option<&str> {
        find(body, |_| false).map(|(range, _)| &body[range])
    }

    #[test]
    fn finds_the_start_of_a_paragraph() {
        for (body, expected) in [
            ("TODO: write it.\n", Some("TODO")),
            ("# A\n\nTBD: steps\n", Some("TBD")),
            ("# A\r\n\r\nFIXME: steps\r\n", Some("FIXME")),
            ("# A\n[Insert steps here]\n", Some("[Insert")),
            ("Look for\nTODO: lines.\n", None),
            ("Lists `TODO:` lines.\n", None),
            ("- TODO: a list of comments\n", None),
            ("", None),
        ] {
            assert_eq!(found(body), expected, "{body:?}");
        }
        assert_eq!(found(&format!("TODO: x\n\n{STARTER_STEPS}\n")), Some(STARTER_STEPS));
        assert_eq!(find("TODO: x\n", |_| true), None);
    }
}
