//! YAML to a tree with places, from the events of granit-parser. Nothing is ever expanded: an anchor, an alias, a tag
//! and a merge key are noted where they stand, and what is written stays what is read.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use super::{Bounds, Fault, Node, What};
use crate::text::{FileId, Place};
use builder::{Builder, Stop, TOO_DEEP};

mod builder;
mod mistake;
pub(super) mod position;

/// YAML in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// The YAML.
    pub(super) yaml: &'a str,
    /// The file.
    pub(super) file: FileId,
    /// Where the YAML begins in it.
    pub(super) offset: usize,
}

impl Source<'_> {
    /// The place in the file of a range of the YAML.
    pub(super) fn place(&self, range: Range<usize>) -> Place {
        Place::new(self.file, self.offset + range.start..self.offset + range.end)
    }
}

/// A document: its root, and the comments by their ranges in the YAML.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) root: Option<Node>,
    pub(super) comments: Vec<Range<usize>>,
}

/// What is said of a flow collection that only the lax reading takes.
pub const SHALLOW_FLOW: &str = "a flow collection indented no deeper than its key";

/// Reads a document and notes what is wrong with it; nothing when it is no YAML or over the bounds.
///
/// A flow collection that is indented no deeper than its key is no YAML to the specification and to js-yaml, but it is to
/// libyaml: where only the strict reading fails, the lax one counts and the dispute is noted.
pub(super) fn read(source: Source<'_>, bounds: Bounds, faults: &mut Vec<Fault>) -> Option<Document> {
    let mut builder = Builder::new(source, bounds, true);
    let mut outcome = builder.document();
    if let Err(Stop::Error(strict)) = &outcome {
        let disputed = error_place(source, strict);
        builder = Builder::new(source, bounds, false);
        outcome = builder.document();
        if outcome.is_ok() {
            builder.note(What::Disputed(SHALLOW_FLOW), disputed);
        }
    }
    let document = match outcome {
        Ok(root) => Some(Document { root, comments: std::mem::take(&mut builder.comments) }),
        Err(stop) => {
            let (what, range) = say(stop, source, &mut builder);
            builder.note(what, range);
            None
        }
    };
    faults.append(&mut builder.faults);
    document
}

/// Why there is no document, and where.
fn say(stop: Stop, source: Source<'_>, builder: &mut Builder<'_>) -> (What, Range<usize>) {
    let error = match stop {
        Stop::Bound(what, range) => return (What::TooComplex(what), range),
        Stop::Error(error) => error,
    };
    let what = match error.kind() {
        ErrorKind::RecursionLimitExceeded => What::TooComplex(TOO_DEEP),
        ErrorKind::DirectiveDisallowed => What::Unportable("a directive"),
        ErrorKind::UndeclaredTagHandle => What::Unportable("a tag"),
        _ => {
            let explained = mistake::explain(source.yaml, &error, &builder.context);
            let quote = explained.quote.map(|range| source.place(range));
            // What looks like an alias or a tag inside a value that should have been quoted is text.
            builder.faults.retain(|fault| quote.is_none_or(|quote| !within(fault.place, quote)));
            return (What::Yaml { kind: explained.kind, quote }, explained.place);
        }
    };
    (what, error_place(source, &error))
}

fn within(inner: Place, outer: Place) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn error_place(source: Source<'_>, error: &ScanError) -> Range<usize> {
    position::character(source.yaml, error.marker().byte_offset().unwrap_or(0))
}
