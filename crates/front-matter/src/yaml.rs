//! Builds a tree with places from the events of granit-parser. Nothing is expanded: anchors, aliases, tags and merge
//! keys are reported and read as written.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use super::{Bounds, Dispute, Excess, Fault, Feature, Node, What};
use crate::text::{FileId, Place};
use builder::{Builder, Stop};

mod builder;
mod mistake;
pub(super) mod position;
mod slip;

/// YAML in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct YamlText<'a> {
    /// The YAML.
    pub(super) yaml: &'a str,
    /// The file.
    pub(super) file: FileId,
    /// The offset of the YAML in the file.
    pub(super) offset: usize,
}

impl YamlText<'_> {
    /// Converts a range of the YAML to a place in the file.
    pub(super) fn place(&self, range: Range<usize>) -> Place {
        Place::new(self.file, self.offset + range.start..self.offset + range.end)
    }
}

/// A document: its root, and the ranges of its comments in the YAML.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) root: Option<Node>,
    pub(super) comments: Vec<Range<usize>>,
    /// Whether it was found to be usual: see [`crate::FrontMatter::is_usual`].
    pub(super) is_usual: bool,
}

/// Parses a document and reports its faults; `None` if it is invalid or too complex.
///
/// YAML 1.2 and js-yaml reject a flow collection that is indented no deeper than its key, libyaml accepts it: if only
/// the strict parse fails, the lax result counts and the dispute is reported.
pub(super) fn read(source: YamlText<'_>, bounds: Bounds, faults: &mut Vec<Fault>) -> Option<Document> {
    let mut builder = Builder::new(source, bounds, true);
    let mut outcome = builder.document();
    if let Err(Stop::Error(strict)) = &outcome {
        let disputed = error_place(source, strict);
        builder = Builder::new(source, bounds, false);
        outcome = builder.document();
        if outcome.is_ok() {
            builder.report(What::Disputed(Dispute::ShallowFlow), disputed);
        }
    }
    let document = match outcome {
        Ok(root) => Some(Document { root, comments: std::mem::take(&mut builder.comments), is_usual: false }),
        Err(stop) => {
            let (what, range) = explain(stop, source, &mut builder);
            builder.report(what, range);
            None
        }
    };
    faults.append(&mut builder.faults);
    document
}

/// Returns why there is no document, and where.
fn explain(stop: Stop, source: YamlText<'_>, builder: &mut Builder<'_>) -> (What, Range<usize>) {
    let error = match stop {
        Stop::Bound(what, range) => return (What::TooComplex(what), range),
        Stop::Error(error) => error,
    };
    let what = match error.kind() {
        ErrorKind::RecursionLimitExceeded => What::TooComplex(Excess::Depth),
        ErrorKind::DirectiveDisallowed => What::Unportable(Feature::Directive),
        ErrorKind::UndeclaredTagHandle => What::Unportable(Feature::Tag),
        _ => {
            let explained = mistake::explain(source.yaml, &error, &builder.context);
            let (slip, place) = match slip::find(source, &error, &explained) {
                Some((slip, place)) => (Some(slip), place),
                None => (None, explained.place.clone()),
            };
            let quote = explained.quote.filter(|_| slip.is_none()).map(|range| source.place(range));
            // An alias or a tag inside a value that should be quoted is text.
            builder.faults.retain(|fault| quote.is_none_or(|quote| !quote.contains(fault.place)));
            return (What::Yaml { kind: explained.kind, quote, slip }, place);
        }
    };
    (what, error_place(source, &error))
}

fn error_place(source: YamlText<'_>, error: &ScanError) -> Range<usize> {
    position::character(source.yaml, error.marker().byte_offset().unwrap_or(0))
}
