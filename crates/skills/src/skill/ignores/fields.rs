//! Comments of the front matter, and the fields that they cover.
//!
//! A comment after other text covers the field or list item on its line. A comment on a separate line covers the next
//! field; before the first field it covers the whole file.

use std::ops::Range;

use super::lines::Lines;
use super::{Comment, Covered};
use skilltree_front_matter::{Field, FrontMatter, Node, NodeKind};

/// A field or a list item: its range, and the range of its key or of itself.
#[derive(Debug)]
struct Part {
    whole: Range<usize>,
    known_by: Range<usize>,
}

/// Finds the comments of a front matter.
pub(super) fn comments(text: &str, header: &FrontMatter, lines: &Lines) -> Vec<Comment> {
    let mut parts = Vec::new();
    add_fields(header.fields.as_deref().unwrap_or_default(), &mut parts);
    // Of parts that begin at the same byte, the outermost comes first.
    parts.sort_by_key(|part| (part.whole.start, std::cmp::Reverse(part.whole.end)));
    let comment = |whole: Range<usize>| {
        let marks = text.get(whole.clone()).map_or(0, |comment| comment.len() - comment.trim_start_matches('#').len());
        Comment { text: whole.start + marks..whole.end, covers: covers(&whole, &parts, lines), whole }
    };
    header.comments.iter().map(|place| comment(place.range())).collect()
}

fn covers(comment: &Range<usize>, parts: &[Part], lines: &Lines) -> Option<Covered> {
    let next = parts.partition_point(|part| part.whole.start < comment.start);
    let part = if lines.begins(comment) {
        if next == 0 {
            return Some(Covered::File);
        }
        parts.get(next)?
    } else {
        let last = parts.get(next.checked_sub(1)?)?;
        let first = parts.partition_point(|part| part.whole.start < last.whole.start);
        &parts[first]
    };
    let end = if lines.begins(comment) { part.whole.end } else { part.whole.end.max(comment.end) };
    let whole = part.whole.start..lines.around(&(part.whole.start..end)).end;
    Some(Covered::Part(whole, part.known_by.clone()))
}

fn add_fields(fields: &[Field], parts: &mut Vec<Part>) {
    for field in fields {
        let key = field.key.place.range();
        parts.push(Part { whole: key.start..field.value.place.range().end.max(key.end), known_by: key });
        add_below(&field.value, parts);
    }
}

/// Adds the parts inside a value. The parser bounds the recursion depth.
fn add_below(node: &Node, parts: &mut Vec<Part>) {
    match &node.kind {
        NodeKind::Map(fields) => add_fields(fields, parts),
        NodeKind::List(items) => {
            for item in items {
                let whole = item.place.range();
                parts.push(Part { whole: whole.clone(), known_by: whole });
                add_below(item, parts);
            }
        }
        NodeKind::Scalar { .. } => {}
    }
}
