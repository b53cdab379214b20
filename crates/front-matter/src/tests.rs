//! Faults and the texts at their places, and the fields that are still read.

use super::FaultKind as Kind;
use super::*;

mod fences;
mod properties;
mod values;
mod yaml;

/// The bytes of a file, and its faults with the texts at their places.
type Case<'a> = (&'a [u8], &'a [(Kind, &'a str)]);

const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };

fn read(bytes: &[u8]) -> Reading<'_> {
    super::read(FileId(0), bytes, BOUNDS)
}

/// Returns the text of a place, with line endings, tabs and invalid UTF-8 escaped.
fn shown(bytes: &[u8], place: Place) -> String {
    let text = text::lossless(bytes[place.range()].into());
    text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

/// Returns the kinds of the faults, each with the text at its place.
fn faults(bytes: &[u8]) -> Vec<(Kind, String)> {
    read(bytes).faults.iter().map(|fault| (fault.kind(), shown(bytes, fault.place))).collect()
}

/// Returns the only fault.
fn only(bytes: &[u8]) -> What {
    let mut faults = read(bytes).faults;
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0).what
}

/// Returns the scalar fields as `key=text`; `None` without fields.
fn fields(bytes: &[u8]) -> Option<Vec<String>> {
    let fields = read(bytes).front_matter?.fields?;
    let text = |node: &Node| match &node.kind {
        NodeKind::Scalar { text, .. } => text.clone(),
        NodeKind::List(items) => format!("[{}]", items.len()),
        NodeKind::Map(fields) => format!("{{{}}}", fields.len()),
    };
    Some(fields.iter().map(|field| format!("{}={}", field.key.value, text(&field.value))).collect())
}

/// Compares a table of inputs with their faults.
fn expect(table: &[Case<'_>]) {
    for (bytes, expected) in table {
        let found = faults(bytes);
        let found: Vec<(Kind, &str)> = found.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        assert_eq!(found, *expected, "{}", bytes.escape_ascii());
    }
}
