//! Tags: what a library makes of a tagged scalar. The linter's own parser reads it as a string.

use crate::profile::reading::Family;
use skilltree_front_matter::{Feature, Field, Node, NodeKind, ScalarKind, Style, Values, What, values};

use super::BOUNDS;

/// Gives every tagged scalar the type that the library gives it.
pub(super) fn resolve(read: &mut Values, yaml: &str, family: Family) {
    let tags: Vec<(u32, &str)> = read
        .faults
        .iter()
        .filter(|fault| matches!(fault.what, What::Unportable(Feature::Tag)))
        .filter_map(|fault| Some((fault.place.end, yaml.get(fault.place.range())?)))
        .collect();
    let Some(root) = &mut read.root else { return };
    for (end, tag) in tags {
        let retyped = |node: &Node| retyped(node, tag, family);
        if let Some(node) = scalar_after(root, end)
            && let Some(kind) = retyped(node)
        {
            node.kind = kind;
        }
    }
}

/// Returns the new kind of a tagged scalar; `None` if it stays a string.
fn retyped(node: &Node, tag: &str, family: Family) -> Option<NodeKind> {
    let NodeKind::Scalar { text, style, .. } = &node.kind else { return None };
    let is_typed = !matches!(family, Family::SerdeYaml | Family::YamlDotNet);
    match tag {
        "!!int" | "!!float" | "!!bool" | "!!null" if is_typed => {
            let plain = values(&format!("a: {text}"), BOUNDS);
            let Some(Node { kind: NodeKind::Map(mut fields), .. }) = plain.root else { return None };
            fields.pop().map(|field| field.value.kind)
        }
        // Bytes in every language: no string.
        "!!binary" if is_typed && !matches!(family, Family::Bun | Family::SerdeYamlValues) => {
            let item = Node { kind: node.kind.clone(), place: node.place };
            Some(NodeKind::List(vec![item]))
        }
        _ if text.is_empty() && *style == Style::Plain && tag != "!" && tag != "!!str" => {
            let kind = if is_typed { ScalarKind::Text } else { ScalarKind::Null };
            Some(NodeKind::Scalar { text: String::new(), style: Style::Plain, kind })
        }
        _ => None,
    }
}

/// Returns the first scalar at or after an offset.
fn scalar_after(node: &mut Node, offset: u32) -> Option<&mut Node> {
    if matches!(node.kind, NodeKind::Scalar { .. }) {
        return (node.place.start >= offset || node.place.end >= offset).then_some(node);
    }
    match &mut node.kind {
        NodeKind::List(items) => items.iter_mut().find_map(|item| scalar_after(item, offset)),
        NodeKind::Map(fields) => fields.iter_mut().find_map(|Field { value, .. }| scalar_after(value, offset)),
        NodeKind::Scalar { .. } => None,
    }
}
