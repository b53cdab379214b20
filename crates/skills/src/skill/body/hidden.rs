//! Text that a reader of the page does not see but a model does, if it reads like instructions to the model.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::hints::{self, Hint, Kind};
use super::links;
use super::markdown::Structure;
use super::orders::orders;
use crate::skill::{HiddenText, Marks, ignores};
use skilltree_front_matter::text::{FileId, Place};

/// Finds the hidden texts of a body that read like instructions, among them the titles of definitions, whose hints are
/// known.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    marks: &[Hint],
    structure: &LazyCell<Structure, F>,
) -> Marks<HiddenText> {
    let definitions = marks.iter().filter(|hint| hint.kind == Kind::Definition).copied();
    let mut hints: Vec<Hint> = hints::HIDING.find(text, start).chain(definitions).collect();
    hints.sort_by_key(|hint| hint.start);
    let mut found = Marks::default();
    let mut seen = 0;
    for hint in &hints {
        if hint.start < seen {
            continue;
        }
        let Some((range, inner, holder)) = hidden(text, hint) else { continue };
        seen = range.end;
        let inner = &text[inner];
        let Some(says) = orders(ignores::after_brackets(inner).unwrap_or(inner)) else { continue };
        let is_definition = hint.kind == Kind::Definition && structure.definition(hint.start).is_some();
        if is_definition || structure.is_html(range.start) {
            let written = &text[range.clone()];
            found.push(HiddenText { holder, says }, Place::new(file, range), written);
        }
    }
    found
}

/// Returns the hidden text at a hint: its range, the range of its content, and what it is.
fn hidden(text: &str, hint: &Hint) -> Option<(Range<usize>, Range<usize>, &'static str)> {
    let until = |from: usize, end: &str| {
        text[from..].find(end).map_or((text.len(), text.len()), |at| (from + at, from + at + end.len()))
    };
    match hint.kind {
        Kind::Comment => {
            let (inner, end) = until(hint.end, "-->");
            Some((hint.start..end, hint.end..inner, "an HTML comment"))
        }
        Kind::Details => {
            let (inner, end) = until(hint.end, "</details>");
            Some((hint.start..end, hint.end..inner, "a collapsed element"))
        }
        Kind::Concealed => {
            let start = tag(&text.as_bytes()[..hint.start])?;
            let name =
                text[start + 1..].split(|c: char| !c.is_ascii_alphanumeric()).next().filter(|name| !name.is_empty())?;
            let (inner, end) = until(hint.end, &format!("</{name}"));
            Some((start..end, hint.end..inner, "an element that is not displayed"))
        }
        Kind::Definition => {
            let target = links::written(text, hint)?;
            let line = text[..hint.start].rfind('\n').map_or(0, |newline| newline + 1);
            let end = title_end(text, target.end);
            Some((line..end, target.end..end, "a link reference definition"))
        }
        _ => None,
    }
}

/// Maximum length of a title, in bytes.
const TITLE_BYTES: usize = 2_000;

/// Returns where the title of a definition ends: before a blank line and before the next definition.
fn title_end(text: &str, start: usize) -> usize {
    let end = (start + TITLE_BYTES).min(text.len());
    let end = (end..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let title = &text[start..end];
    let ends = [title.find("\n\n"), title.find("\n["), Some(title.len())];
    start + ends.into_iter().flatten().min().unwrap_or_default()
}

/// Maximum length of a tag, in bytes.
const TAG_BYTES: usize = 300;

/// Returns where the tag begins that is open at the end of a text.
fn tag(text: &[u8]) -> Option<usize> {
    let from = text.len().saturating_sub(TAG_BYTES);
    let start = text[from..].rfind_byte(b'<')?;
    (text[from + start..].find_byte(b'>').is_none()).then_some(from + start)
}
