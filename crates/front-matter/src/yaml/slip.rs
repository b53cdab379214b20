//! Common mistakes with an exact correction: a missing space, a key that is indented too far, an apostrophe, a backslash.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use super::YamlText;
use super::mistake::Explained;
use super::position::{floor, indentation, line_start};
use crate::{Slip, YamlKind, lines};

/// Finds the mistake that causes a syntax error, and its place.
pub(super) fn find(source: YamlText<'_>, error: &ScanError, explained: &Explained) -> Option<(Slip, Range<usize>)> {
    let yaml = source.yaml;
    let at = floor(yaml, error.marker().byte_offset().unwrap_or(0));
    match error.kind() {
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidUnicodeEscape => return wrong_escape(yaml, at).map(|range| (Slip::Escape, range)),
        ErrorKind::InvalidTrailingSingleQuotedScalar => return apostrophe(source, at),
        ErrorKind::InvalidQuotedScalarIndent if explained.kind == YamlKind::BadIndentation => {
            return Some((Slip::Margin, explained.place.clone()));
        }
        _ => {}
    }
    match explained.kind {
        YamlKind::ContinuationWithColon => deep_key(source, explained.place.start),
        YamlKind::BadIndentation | YamlKind::Other => separator(source, at)
            .or_else(|| tight_dash(yaml, at).map(|range| (Slip::TightDash, range)))
            .or_else(|| tight_colon(yaml, at).map(|range| (Slip::TightColon, range))),
        _ => None,
    }
}

/// Finds the first key with something else in place of its colon, up to the line of an error. At the margin, nothing else reads as
/// such a line.
fn separator(source: YamlText<'_>, at: usize) -> Option<(Slip, Range<usize>)> {
    let last = line_start(source.yaml, at);
    let (start, (key, value)) = lines::lines(source.yaml.as_bytes(), 0)
        .take_while(|line| line.start <= last)
        .find_map(|line| Some((line.start, lines::odd_key(line.of(source.yaml.as_bytes()))?)))?;
    let separator = source.place(start + key.len()..start + value);
    let end = source.yaml[..start + value].trim_end().len();
    Some((Slip::Separator { separator }, start..end))
}

/// Finds a list item without a space after its dash, in the line of an error or directly below an item or a key.
fn tight_dash(yaml: &str, at: usize) -> Option<Range<usize>> {
    let start = line_start(yaml, at);
    let indented = lines::tight_dash(line_at(yaml, start).as_bytes())?;
    let above = yaml[..start].lines().next_back()?;
    let is_list = above.trim_start().starts_with('-') || above.trim_end().ends_with(':');
    let item = line_at(yaml, start)[indented..].trim_end();
    is_list.then(|| start + indented..start + indented + item.len())
}

/// Finds a key without a space after its colon, in the line of an error or in the lines directly above it with the same
/// indentation: the parser reads such a line as a string that continues on the next line.
fn tight_colon(yaml: &str, at: usize) -> Option<Range<usize>> {
    let last = line_start(yaml, at);
    let indented = indentation(line_at(yaml, last));
    let mut start = last;
    let mut found = None;
    loop {
        let line = line_at(yaml, start);
        let key = lines::tight_key(line.as_bytes()).filter(|_| indentation(line) == indented);
        match key {
            Some(key) => found = Some(start + indented..start + indented + key.len() + 1),
            // The key on the line of the error may be correct, and the line above it the cause.
            None if start < last || found.is_some() => return found,
            None => {}
        }
        if start == 0 {
            return found;
        }
        start = line_start(yaml, yaml[..start - 1].trim_end_matches('\r').len());
    }
}

/// Finds a key that is indented deeper than the key above it, instead of a value that continues. In the outermost
/// mapping only the keys of every skill count: there a value often continues with a word and a colon.
fn deep_key(source: YamlText<'_>, colon: usize) -> Option<(Slip, Range<usize>)> {
    let yaml = source.yaml;
    let start = line_start(yaml, colon);
    let line = line_at(yaml, start);
    let key = lines::key(line.as_bytes())?;
    let indented = indentation(line);
    let above = yaml[..start].lines().next_back().filter(|above| lines::key(above.as_bytes()).is_some())?;
    let outer = indentation(above);
    let is_key = outer > 0 || lines::names_skill(line.as_bytes());
    let extra = source.place(start + outer..start + indented);
    (is_key && outer < indented).then(|| (Slip::DeepKey { extra }, start + indented..start + indented + key.len()))
}

/// Finds the apostrophe that ends a value in single quotes inside a word.
fn apostrophe(source: YamlText<'_>, at: usize) -> Option<(Slip, Range<usize>)> {
    let yaml = source.yaml;
    let before = yaml[..at].strip_suffix('\'')?;
    let is_inside = before.ends_with(char::is_alphanumeric) && yaml[at..].starts_with(char::is_alphanumeric);
    let start = line_start(yaml, at);
    let line = line_at(yaml, start).trim_end();
    let opening = line.find(": '").map(|colon| colon + 2).filter(|opening| start + opening < at - 1);
    let value = opening
        .filter(|_| line.ends_with('\'') && start + line.len() > at)
        .map(|opening| source.place(start + opening..start + line.len()));
    is_inside.then_some((Slip::Apostrophe { value }, at - 1..at))
}

/// Returns the first backslash after an offset that begins no escape of YAML 1.2 (section 5.7), and the character after
/// it.
fn wrong_escape(yaml: &str, at: usize) -> Option<Range<usize>> {
    let mut characters = yaml[at..].char_indices();
    while let Some((slash, character)) = characters.next() {
        if character != '\\' {
            continue;
        }
        let (next, escape) = characters.next()?;
        let end = at + next + escape.len_utf8();
        let digits = match escape {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let is_number = yaml.get(end..end + digits).is_some_and(|code| {
            let is_hex = code.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hex && (digits < 8 || u32::from_str_radix(code, 16).ok().and_then(char::from_u32).is_some())
        });
        if !"0abt\tnvfre \"/\\N_LPxuU\n\r".contains(escape) || !is_number {
            return Some(at + slash..end);
        }
    }
    None
}

/// Returns the line that begins at an offset, without its line ending.
fn line_at(yaml: &str, start: usize) -> &str {
    yaml[start..].split(['\n', '\r']).next().unwrap_or_default()
}
