//! Aliases and merge keys: `*name` refers to the earlier anchor `&name`. The linter's own parser never resolves aliases;
//! the libraries do.

use std::collections::BTreeMap;

use crate::front_matter::{Fault, Feature, Field, Node, NodeKind, Style, Values, What};

/// Maximum number of merged fields (ours: 1,000).
const MERGED: usize = 1_000;

/// Replaces aliases of scalars by copies of the scalars, and merge keys by the fields that they refer to. Each copy has
/// a bounded size and aliases of other collections stay, so the output cannot explode.
pub(super) fn resolve(read: &mut Values, yaml: &str, merges: bool) {
    let aliases = read.faults.iter().filter(|fault| matches!(fault.what, What::Unportable(Feature::Alias)));
    let aliases: Vec<Fault> = aliases.cloned().collect();
    let Some(root) = read.root.as_mut().filter(|_| !aliases.is_empty()) else { return };
    let anchors = read.faults.iter().filter(|fault| matches!(fault.what, What::Unportable(Feature::Anchor)));
    let anchors: Vec<(u32, String)> = anchors
        .filter_map(|fault| Some((fault.place.end, yaml.get(fault.place.range())?.strip_prefix('&')?.to_owned())))
        .collect();
    let anchored = anchors.iter().filter_map(|(end, name)| Some((name.clone(), node_after(root, *end)?.clone())));
    let anchored: BTreeMap<String, Node> = anchored.collect();
    let is_defined = |alias: &Fault| {
        let name = yaml.get(alias.place.range()).and_then(|text| text.strip_prefix('*'));
        anchors.iter().any(|(end, anchor)| *end <= alias.place.start && Some(anchor.as_str()) == name)
    };
    let undefined = aliases.iter().filter(|alias| !is_defined(alias));
    let undefined =
        undefined.map(|alias| Fault { what: What::Unportable(Feature::UndefinedAlias), place: alias.place });
    replace(root, &anchored);
    if merges && let NodeKind::Map(fields) = &mut root.kind {
        merge(fields, &anchored);
    }
    read.faults.extend(undefined.collect::<Vec<_>>());
}

/// Returns the first node at or after an offset: the one whose anchor ends there.
fn node_after(node: &Node, offset: u32) -> Option<&Node> {
    if node.place.start >= offset {
        return Some(node);
    }
    match &node.kind {
        NodeKind::Scalar { .. } => None,
        NodeKind::List(items) => items.iter().find_map(|item| node_after(item, offset)),
        NodeKind::Map(fields) => fields.iter().find_map(|field| node_after(&field.value, offset)),
    }
}

/// Returns the name of an alias.
fn alias(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Scalar { text, style: Style::Plain, .. } => text.strip_prefix('*'),
        _ => None,
    }
}

fn replace(node: &mut Node, anchored: &BTreeMap<String, Node>) {
    if let Some(target) = alias(node).and_then(|name| anchored.get(name)) {
        if matches!(target.kind, NodeKind::Scalar { .. }) {
            node.kind = target.kind.clone();
        }
        return;
    }
    match &mut node.kind {
        NodeKind::Scalar { .. } => {}
        NodeKind::List(items) => items.iter_mut().for_each(|item| replace(item, anchored)),
        NodeKind::Map(fields) => fields.iter_mut().for_each(|Field { value, .. }| replace(value, anchored)),
    }
}

/// Adds the fields of merged mappings that are not set. Only the outermost mapping is merged: no runtime reads others.
fn merge(fields: &mut Vec<Field>, anchored: &BTreeMap<String, Node>) {
    let merges = fields.iter().filter(|field| field.key.value == "<<");
    let targets = merges.filter_map(|field| anchored.get(alias(&field.value)?));
    let mut added: Vec<Field> = Vec::new();
    for target in targets {
        let NodeKind::Map(merged) = &target.kind else { continue };
        for field in merged.iter().take(MERGED.saturating_sub(added.len())) {
            let is_set = |other: &Field| other.key.value == field.key.value;
            if !fields.iter().chain(&added).any(is_set) {
                added.push(field.clone());
            }
        }
    }
    fields.extend(added);
}
