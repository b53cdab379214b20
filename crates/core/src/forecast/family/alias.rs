//! Aliases of scalars: `*name` refers to the earlier anchor `&name`. The linter's own parser never resolves aliases;
//! the libraries do.

use std::collections::BTreeMap;

use crate::front_matter::{Field, Node, NodeKind, Style, Values, What};

/// Replaces aliases of scalars by copies of the scalars. Each copy has a bounded size and aliases of collections stay,
/// so the output cannot explode.
pub(super) fn resolve(read: &mut Values, yaml: &str) {
    if !read.faults.iter().any(|fault| matches!(fault.what, What::Unportable("an alias"))) {
        return;
    }
    let Some(root) = &mut read.root else { return };
    let anchors = read.faults.iter().filter(|fault| matches!(fault.what, What::Unportable("an anchor")));
    let anchored_nodes = anchors.filter_map(|fault| {
        let name = yaml.get(fault.place.range())?.strip_prefix('&')?;
        Some((name.to_owned(), scalar_after(root, fault.place.end)?.clone()))
    });
    let anchored_nodes: BTreeMap<String, Node> = anchored_nodes.collect();
    replace(root, &anchored_nodes);
}

/// Returns the first scalar after an offset, if no other node precedes it.
fn scalar_after(node: &Node, offset: u32) -> Option<&Node> {
    match &node.kind {
        NodeKind::Scalar { .. } => (node.place.start >= offset).then_some(node),
        NodeKind::List(items) => items.iter().find_map(|item| scalar_after(item, offset)),
        NodeKind::Map(fields) => fields.iter().find_map(|field| scalar_after(&field.value, offset)),
    }
}

fn replace(node: &mut Node, anchored_nodes: &BTreeMap<String, Node>) {
    match &mut node.kind {
        NodeKind::Scalar { text, style: Style::Plain, .. } => {
            let anchored = text.strip_prefix('*').and_then(|name| anchored_nodes.get(name));
            if let Some(anchored) = anchored {
                node.kind = anchored.kind.clone();
            }
        }
        NodeKind::Scalar { .. } => {}
        NodeKind::List(items) => items.iter_mut().for_each(|item| replace(item, anchored_nodes)),
        NodeKind::Map(fields) => fields.iter_mut().for_each(|Field { value, .. }| replace(value, anchored_nodes)),
    }
}
