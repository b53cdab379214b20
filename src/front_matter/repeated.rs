//! Another front matter directly behind the first: what is left where two skills, or two versions of one, were put into one
//! file.

use std::ops::Range;

use super::lines::{self, Line, lines};

/// The first line of a front matter that follows the closing fence of another, with an opening fence of its own or
/// without. It sets one of the two fields that make a skill, has no blank line, and a fence closes it: a thematic break
/// above a paragraph is none.
pub(super) fn find(bytes: &[u8], closer: Line) -> Option<Range<usize>> {
    let first = lines(bytes, closer.next).find(|line| !lines::is_blank(line.of(bytes)))?;
    let keys = match lines::fence(first.of(bytes)) {
        Some(_) => first.next,
        None if first.start == closer.next => first.start,
        None => return None,
    };
    let mut named = false;
    for line in lines(bytes, keys) {
        let content = line.of(bytes);
        if lines::fence(content).is_some() {
            return named.then_some(first.start..first.end);
        }
        if lines::is_blank(content) || !lines::reads_as_yaml(content) {
            return None;
        }
        named |= lines::names_skill(content);
    }
    None
}
