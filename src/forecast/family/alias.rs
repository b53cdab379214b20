//! Aliases of scalars: `*name` stands for what `&name` stands before. Our own reading never follows one; the libraries do.

use std::collections::BTreeMap;

use crate::front_matter::{Field, Node, NodeKind, Style, Values, What};

/// Puts scalars in the place of the aliases that stand for them. Each is a copy of a text that is bounded, and an alias of
/// a collection stays, so that nothing can grow.
pub(super) fn resolve(read: &mut Values, yaml: &str) {
    if !read.faults.iter().any(|fault| matches!(fault.what, What::Unportable("an alias"))) {
        return;
    }
    let Some(root) = &mut read.root else { return };
    let anchors = read.faults.iter().filter(|fault| matches!(fault.what, What::Unportable("an anchor")));
    let named = anchors.filter_map(|fault| {
        let name = yaml.get(fault.place.range())?.strip_prefix('&')?;
        Some((name.to_owned(), scalar_behind(root, fault.place.end)?.clone()))
    });
    let named: BTreeMap<String, Node> = named.collect();
    replace(root, &named);
}

/// The first scalar that begins behind an offset, if nothing else does before it.
fn scalar_behind(node: &Node, offset: u32) -> Option<&Node> {
    match &node.kind {
        NodeKind::Scalar { .. } => (node.place.start >= offset).then_some(node),
        NodeKind::List(items) => items.iter().find_map(|item| scalar_behind(item, offset)),
        NodeKind::Map(fields) => fields.iter().find_map(|field| scalar_behind(&field.value, offset)),
    }
}

fn replace(node: &mut Node, named: &BTreeMap<String, Node>) {
    match &mut node.kind {
        NodeKind::Scalar { text, style: Style::Plain, .. } => {
            let anchored = text.strip_prefix('*').and_then(|name| named.get(name));
            if let Some(anchored) = anchored {
                node.kind = anchored.kind.clone();
            }
        }
        NodeKind::Scalar { .. } => {}
        NodeKind::List(items) => items.iter_mut().for_each(|item| replace(item, named)),
        NodeKind::Map(fields) => fields.iter_mut().for_each(|Field { value, .. }| replace(value, named)),
    }
}
