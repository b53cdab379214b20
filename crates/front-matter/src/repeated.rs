//! A second front matter directly after the first, usually because two skills or two versions were joined in one file.

use std::ops::Range;

use super::lines::{self, Line, lines};

/// Returns the first line of a second front matter, with or without an opening fence. It sets `name` or `description`,
/// has no blank line, and ends with a fence; a thematic break above a paragraph does not count.
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
