//! Tabs that PyYAML rejects and every other parser accepts.

use std::ops::Range;

use super::yaml::YamlText;
use super::{Dispute, Fault, Field, Node, NodeKind, Style, What};

/// Reports the first tab outside quotes, block scalars and comments. PyYAML's scanner (`yaml.safe_load`) allows only
/// spaces between tokens and inside plain scalars, and raises "found character '\t' that cannot start any token". Lines
/// with only whitespace are skipped: they may belong to a block scalar.
pub(super) fn report(source: YamlText<'_>, fields: &[Field], comments: &[Range<usize>], faults: &mut Vec<Fault>) {
    let is_disputed = |fault: &Fault| matches!(fault.what, What::Disputed(_));
    if !source.yaml.contains('\t') || faults.iter().any(is_disputed) {
        return;
    }
    let mut harmless = comments.to_vec();
    in_fields(source, fields, &mut harmless);
    harmless.sort_unstable_by_key(|range| (range.start, range.end));
    let mut harmless = harmless.into_iter().peekable();
    let mut line_start = 0;
    for line in source.yaml.split_inclusive('\n') {
        for (at, _) in line.match_indices('\t').map(|(at, tab)| (line_start + at, tab)) {
            while harmless.next_if(|range| range.end <= at).is_some() {}
            let is_harmless = harmless.peek().is_some_and(|range| range.contains(&at));
            if !is_harmless && !line.trim().is_empty() {
                let place = source.place(at..at + 1);
                faults.push(Fault { what: What::Disputed(Dispute::Tab), place });
                return;
            }
        }
        line_start += line.len();
    }
}

fn in_fields(source: YamlText<'_>, fields: &[Field], harmless: &mut Vec<Range<usize>>) {
    for field in fields {
        let key = in_yaml(source, field.key.place.range());
        if source.yaml.get(key.clone()).is_some_and(|key| key.starts_with(['"', '\''])) {
            harmless.push(key);
        }
        in_node(source, &field.value, harmless);
    }
}

fn in_node(source: YamlText<'_>, node: &Node, harmless: &mut Vec<Range<usize>>) {
    match &node.kind {
        NodeKind::Scalar { style: Style::Plain, .. } => {}
        NodeKind::Scalar { .. } => harmless.push(in_yaml(source, node.place.range())),
        NodeKind::List(items) => items.iter().for_each(|item| in_node(source, item, harmless)),
        NodeKind::Map(fields) => in_fields(source, fields, harmless),
    }
}

/// Converts a range of the file to a range of the YAML.
fn in_yaml(source: YamlText<'_>, range: Range<usize>) -> Range<usize> {
    range.start.saturating_sub(source.offset)..range.end.saturating_sub(source.offset)
}
