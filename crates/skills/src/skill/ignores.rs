//! Ignore comments: `skilltree: ignore[RULE] REASON` in the front matter and in the body, with the range that each
//! covers.
//!
//! The body is dropped after parsing, so everything is computed here: places, and the bytes to remove with a comment.

mod body;
mod directive;
mod fields;
mod known;
mod lines;

use std::ops::Range;

use bstr::ByteSlice;

use directive::Directive;
pub(super) use directive::after_brackets;
use lines::Lines;
use skilltree_front_matter::FrontMatter;
use skilltree_front_matter::text::{FileId, Place, Spanned, digest};

/// A comment addressed to skilltree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoreComment {
    /// The comment with its delimiters.
    pub place: Place,
    /// The rules that it names, as written.
    pub rules: Vec<Spanned<String>>,
    /// The text between its brackets.
    pub brackets: Place,
    /// The reason; empty if none is given.
    pub reason: String,
    /// The last day on which it applies, as days since 1970-01-01.
    pub until: Option<i64>,
    /// Why it is invalid, if it is.
    pub flaw: Option<Flaw>,
    /// Findings that begin in this range are covered. A whole-file place covers the file; `None` covers nothing,
    /// because nothing follows the comment.
    pub covers: Option<Place>,
    /// Content hash of the adjacent text: the key of a field or the text of a block; of the empty text for the whole
    /// file.
    pub context: [u8; 16],
    /// The bytes to remove together with the comment.
    pub removal: Place,
    /// Whether it is in force: `false` if the revision that the configuration comes from does not have it.
    pub counts: bool,
}

/// Why an ignore comment is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No colon follows `skilltree`.
    NoColon,
    /// A word other than `ignore` follows `skilltree:`.
    UnknownWord(String),
    /// No brackets follow `ignore`.
    NoBrackets,
    /// The brackets are empty.
    NoRule,
    /// The text after `until=` is not a date.
    NoDate(String),
}

/// A comment: its range, the range of its content, and its subject.
#[derive(Debug)]
struct Comment {
    whole: Range<usize>,
    text: Range<usize>,
    covers: Option<Covered>,
}

/// The subject of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Covered {
    /// The whole file.
    File,
    /// Findings that begin in the first range; the second range identifies the comment when lines move.
    Part(Range<usize>, Range<usize>),
}

/// Finds the ignore comments of a file, in order. `text` is the valid UTF-8 prefix of the file.
pub(super) fn find(file: FileId, text: &str, header: Option<&FrontMatter>, body_start: usize) -> Vec<IgnoreComment> {
    if text.as_bytes().find(directive::MARK).is_none() {
        return Vec::new();
    }
    let lines = Lines::new(text);
    let comments = header.map(|header| fields::comments(text, header, &lines)).unwrap_or_default();
    let comments = comments.into_iter().chain(body::comments(text, body_start, &lines));
    // Comments on one line share the adjacent text, which can have any length.
    let mut last = (0..0, digest(b""));
    let mut context = |known: Range<usize>| {
        if last.0 != known {
            last = (known.clone(), digest(text.get(known).unwrap_or_default().as_bytes()));
        }
        last.1
    };
    comments.filter_map(|comment| read(file, text, comment, &lines, &mut context)).collect()
}

fn read(
    file: FileId,
    text: &str,
    comment: Comment,
    lines: &Lines,
    digest_of: &mut impl FnMut(Range<usize>) -> [u8; 16],
) -> Option<IgnoreComment> {
    let Directive { brackets, rules, until, reason, flaw } = directive::parse(text.get(comment.text.clone())?)?;
    let start = comment.text.start;
    let place = |range: Range<usize>| Place::new(file, start + range.start..start + range.end);
    let named = |range: Range<usize>| {
        let value = text.get(start + range.start..start + range.end).unwrap_or_default().to_owned();
        Spanned { value, place: place(range) }
    };
    let (covers, context) = match comment.covers {
        None => (None, [0; 16]),
        Some(Covered::File) => (Some(Place::whole(file)), [0; 16]),
        Some(Covered::Part(part, known)) => (Some(Place::new(file, part)), digest_of(known)),
    };
    Some(IgnoreComment {
        rules: rules.into_iter().map(named).collect(),
        brackets: place(brackets),
        reason,
        until,
        flaw,
        covers,
        context,
        removal: Place::new(file, lines.removal(text, &comment.whole)),
        place: Place::new(file, comment.whole),
        counts: true,
    })
}

#[cfg(test)]
mod tests;
