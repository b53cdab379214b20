//! What a skill says about findings in it: comments `skilltree: ignore[RULE] REASON`, in the front matter and in the
//! body, with what each of them covers.
//!
//! The body is dropped after parsing, so everything is worked out here: places, and the bytes that go with the comment.

mod body;
mod directive;
mod fields;
mod known;
mod lines;

use std::ops::Range;

use bstr::ByteSlice;

use crate::front_matter::FrontMatter;
use crate::text::{FileId, Place, Spanned, digest};
use directive::Directive;
pub(super) use directive::behind_brackets;
use lines::Lines;

/// A comment that is meant for skilltree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoreComment {
    /// The comment with its marks.
    pub place: Place,
    /// The rules that it names, as written.
    pub rules: Vec<Spanned<String>>,
    /// What stands between its brackets.
    pub brackets: Place,
    /// Why; empty when it does not say.
    pub reason: String,
    /// The last day on which it holds, as days since 1970-01-01.
    pub until: Option<i64>,
    /// Why it means nothing.
    pub flaw: Option<Flaw>,
    /// The findings that it covers begin here; the whole file when the place is whole, and none at all when nothing
    /// follows that it could be about.
    pub covers: Option<Place>,
    /// What it stands beside, by a digest: the key of a field, the text of a block; nothing for the whole file.
    pub beside: [u8; 16],
    /// The bytes to take out, so that nothing is left of it.
    pub removal: Place,
    /// Whether it counts: `false` where the revision that the configuration comes from does not have it.
    pub counts: bool,
}

/// Why a comment that is meant for skilltree means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Another word than `ignore` stands there.
    UnknownWord(String),
    /// No brackets follow `ignore`.
    NoBrackets,
    /// Nothing stands between the brackets.
    NoRule,
    /// What stands behind `until=` is no day.
    NoDate(String),
}

/// A comment: its bytes, the bytes of what it says, and what it is about.
#[derive(Debug)]
struct Comment {
    whole: Range<usize>,
    text: Range<usize>,
    covers: Option<Covered>,
}

/// What a comment is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Covered {
    /// All of the file.
    File,
    /// Findings that begin in the first range; the second one is what it is known again by.
    Part(Range<usize>, Range<usize>),
}

/// The comments of a file that are meant for skilltree, in their order. `text` is the file as far as it is UTF-8.
pub(super) fn find(file: FileId, text: &str, header: Option<&FrontMatter>, body_start: usize) -> Vec<IgnoreComment> {
    if text.as_bytes().find(directive::MARK).is_none() {
        return Vec::new();
    }
    let lines = Lines::new(text);
    let comments = header.map(|header| fields::comments(text, header, &lines)).unwrap_or_default();
    let comments = comments.into_iter().chain(body::comments(text, body_start, &lines));
    // Comments on one line are beside one text, which is as long as it likes.
    let mut last = (0..0, digest(b""));
    let mut beside = |known: Range<usize>| {
        if last.0 != known {
            last = (known.clone(), digest(text.get(known).unwrap_or_default().as_bytes()));
        }
        last.1
    };
    comments.filter_map(|comment| read(file, text, comment, &lines, &mut beside)).collect()
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
    let (covers, beside) = match comment.covers {
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
        beside,
        removal: Place::new(file, lines.removal(text, &comment.whole)),
        place: Place::new(file, comment.whole),
        counts: true,
    })
}

#[cfg(test)]
mod tests;
