//! Positions in YAML that does not parse: lines, values and characters around an offset.

use std::ops::Range;

/// Returns whether a value begins at an offset: after a key or a dash, on the same or a separate line.
pub(super) fn begins_value(yaml: &str, at: usize) -> bool {
    let line = &yaml[line_start(yaml, at)..at];
    let before = line.trim_end();
    if before.is_empty() {
        return !line.is_empty() && yaml[..at].trim_end().ends_with(':');
    }
    before.ends_with(':') || before.trim_start_matches([' ', '-']).is_empty()
}

/// Returns where a value ends that is read as text: after its line and the deeper indented lines below.
pub(super) fn value_end(yaml: &str, start: usize) -> usize {
    let first = line_start(yaml, start);
    // A value on a line of its own goes on in the same column.
    let own_line = usize::from(first < start && yaml[first..start].trim_start_matches(' ').is_empty());
    let outer = indentation(&yaml[first..]) - own_line;
    let mut end = start;
    let mut next = first;
    for line in yaml[first..].split_inclusive(['\n', '\r']) {
        let content = line.trim_end();
        if next > first && !content.is_empty() && indentation(line) <= outer {
            break;
        }
        if !content.is_empty() {
            end = next + content.len();
        }
        next += line.len();
    }
    end.max(start)
}

/// Returns the first token after an offset that is neither whitespace nor an indicator before a value.
pub(super) fn next_token(yaml: &str, after: usize) -> usize {
    let after = floor(yaml, after);
    let rest = yaml[after..].trim_start_matches([' ', '\t', '\n', '\r', ':', '-', ',']);
    yaml.len() - rest.len()
}

/// Returns the character at an offset; at whitespace or the end, the last non-whitespace character before it.
pub(crate) fn character(yaml: &str, at: usize) -> Range<usize> {
    let at = floor(yaml, at);
    match yaml[at..].chars().next() {
        Some(character) if !character.is_whitespace() || character == '\t' => at..at + character.len_utf8(),
        _ => character_before(yaml, at),
    }
}

/// Returns the last non-whitespace character before an offset; the first of all if there is none.
pub(crate) fn character_before(yaml: &str, at: usize) -> Range<usize> {
    let before = yaml[..floor(yaml, at)].trim_end();
    match before.chars().next_back() {
        Some(character) => before.len() - character.len_utf8()..before.len(),
        None => 0..yaml.chars().next().map_or(0, char::len_utf8),
    }
}

/// Returns the line at an offset without its line ending; the next line that is not blank if that one is.
pub(crate) fn line(yaml: &str, at: usize) -> Range<usize> {
    let at = yaml.len() - yaml[floor(yaml, at)..].trim_start().len();
    let start = line_start(yaml, at);
    let length = yaml[start..].find(['\n', '\r']).unwrap_or(yaml.len() - start);
    if length == 0 { character_before(yaml, start) } else { start..start + length }
}

/// Returns the number of leading spaces of a line.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns where the line at an offset begins.
pub(super) fn line_start(yaml: &str, at: usize) -> usize {
    yaml[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Returns the nearest character boundary at or before an offset.
pub(super) fn floor(yaml: &str, at: usize) -> usize {
    let at = at.min(yaml.len());
    (0..=at).rev().find(|&at| yaml.is_char_boundary(at)).unwrap_or(0)
}
