//! A paragraph that its author wanted to write later.

use std::ops::Range;
use std::sync::LazyLock;

use bstr::Finder;

use super::STARTER_STEPS;
use crate::skill::Unfinished;

/// Words with which such a paragraph begins, each with its mark.
const MARKS: [(&str, &str); 5] =
    [("TODO:", "TODO"), ("FIXME:", "FIXME"), ("TBD:", "TBD"), ("[TODO", "[TODO"), ("[Insert ", "[Insert")];

/// Searches for the text of the starter skill and for the words, made once.
static SEARCHES: LazyLock<(Finder<'_>, [Finder<'_>; MARKS.len()])> =
    LazyLock::new(|| (Finder::new(STARTER_STEPS), MARKS.map(|(begins, _)| Finder::new(begins))));

/// Finds the text of the starter skill, or the first paragraph outside of code that begins with a mark.
pub(super) fn find(body: &str, is_code: impl Fn(usize) -> bool) -> Option<(Range<usize>, Unfinished)> {
    let bytes = body.as_bytes();
    if let Some(at) = SEARCHES.0.find(bytes) {
        return Some((at..at + STARTER_STEPS.len(), Unfinished::Starter));
    }
    let places = MARKS.iter().zip(&SEARCHES.1).filter_map(|(&(begins, mark), search)| {
        let next = |from: usize| search.find(&bytes[from..]).map(|at| from + at);
        let mut starts = std::iter::successors(next(0), |at| next(at + begins.len()));
        starts
            .find(|&at| begins_paragraph(&body[..at]) && !is_code(at))
            .map(|at| (at..at + mark.len(), Unfinished::Paragraph(mark)))
    });
    places.min_by_key(|(range, _)| range.start)
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
