//! Aliases and merge keys: `*name` refers to the earlier anchor `&name`. The linter's own parser never resolves aliases;
//! the libraries do.

use std::collections::{BTreeMap, BTreeSet};

use skilltree_front_matter::{Excess, Fault, Feature, Field, Node, NodeKind, Style, Values, What};

/// Maximum bytes of the scalars that aliases copy (ours: 256 KiB, four times the limit of a front matter). The values of a file with
/// more are unknown.
const COPIED_BYTES: usize = 256 << 10;

/// Replaces aliases of scalars by copies of the scalars, and merge keys by the fields that they refer to. Aliases of other
/// collections stay, and the copies have a limit, so the output cannot explode: a file over the limit has a fault that says so.
pub(super) fn resolve(read: &mut Values, yaml: &str, merges: bool) {
    let aliases = read.faults.iter().filter(|fault| matches!(fault.what, What::Unportable(Feature::Alias)));
    let aliases: Vec<Fault> = aliases.cloned().collect();
    let Some(root) = read.root.as_mut().filter(|_| !aliases.is_empty()) else { return };
    let anchors = read.faults.iter().filter(|fault| matches!(fault.what, What::Unportable(Feature::Anchor)));
    let anchors: Vec<(u32, &str)> = anchors
        .filter_map(|fault| Some((fault.place.end, yaml.get(fault.place.range())?.strip_prefix('&')?)))
        .collect();
    let mut copies = Copies { left: COPIED_BYTES };
    let mut anchored: BTreeMap<&str, Node> = BTreeMap::new();
    for &(end, name) in &anchors {
        if let Some(node) = node_after(root, end) {
            // A later anchor replaces an earlier one of the same name. An anchor in an anchored collection is copied with it.
            anchored.extend(copies.of(node).map(|copy| (name, copy)));
        }
    }
    let mut first: BTreeMap<&str, u32> = BTreeMap::new();
    for &(end, name) in &anchors {
        first.entry(name).and_modify(|first| *first = end.min(*first)).or_insert(end);
    }
    let is_defined = |alias: &Fault| {
        let name = yaml.get(alias.place.range()).and_then(|text| text.strip_prefix('*'));
        name.and_then(|name| first.get(name)).is_some_and(|&end| end <= alias.place.start)
    };
    let undefined = aliases.iter().filter(|alias| !is_defined(alias));
    let undefined =
        undefined.map(|alias| Fault { what: What::Unportable(Feature::UndefinedAlias), place: alias.place });
    copies.replace(root, &anchored);
    if merges && let NodeKind::Map(fields) = &mut root.kind {
        copies.merge(fields, &anchored);
    }
    let excess = (copies.left == 0).then(|| Fault { what: What::TooComplex(Excess::Copies), place: aliases[0].place });
    read.faults.extend(undefined.chain(excess).collect::<Vec<_>>());
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

/// Returns about how many bytes a copy takes.
fn size(node: &Node) -> usize {
    size_of::<Node>()
        + match &node.kind {
            NodeKind::Scalar { text, .. } => text.len(),
            NodeKind::List(items) => items.iter().map(size).sum(),
            NodeKind::Map(fields) => fields.iter().map(|field| field.key.value.len() + size(&field.value)).sum(),
        }
}

/// Copies nodes until their bytes reach the limit.
struct Copies {
    /// The bytes that may still be copied; 0 after the limit was exceeded.
    left: usize,
}

impl Copies {
    /// Returns a copy; `None` after the limit.
    fn of(&mut self, node: &Node) -> Option<Node> {
        self.left = self.left.saturating_sub(size(node));
        (self.left > 0).then(|| node.clone())
    }

    fn replace(&mut self, node: &mut Node, anchored: &BTreeMap<&str, Node>) {
        if let Some(target) = alias(node).and_then(|name| anchored.get(name)) {
            if matches!(target.kind, NodeKind::Scalar { .. })
                && let Some(copy) = self.of(target)
            {
                node.kind = copy.kind;
            }
            return;
        }
        match &mut node.kind {
            NodeKind::Scalar { .. } => {}
            NodeKind::List(items) => items.iter_mut().for_each(|item| self.replace(item, anchored)),
            NodeKind::Map(fields) => fields.iter_mut().for_each(|Field { value, .. }| self.replace(value, anchored)),
        }
    }

    /// Adds the fields of merged mappings that are not set. Only the outermost mapping is merged: no runtime reads others.
    fn merge(&mut self, fields: &mut Vec<Field>, anchored: &BTreeMap<&str, Node>) {
        let merges = fields.iter().filter(|field| field.key.value == "<<");
        let mut seen = BTreeSet::new();
        let names = merges.filter_map(|field| alias(&field.value)).filter(|name| seen.insert(*name));
        let mut set: BTreeSet<&str> = fields.iter().map(|field| field.key.value.as_str()).collect();
        let mut added: Vec<Field> = Vec::new();
        for target in names.filter_map(|name| anchored.get(name)) {
            let NodeKind::Map(merged) = &target.kind else { continue };
            for field in merged {
                if set.insert(&field.key.value)
                    && let Some(value) = self.of(&field.value)
                {
                    added.push(Field { key: field.key.clone(), value });
                }
            }
        }
        fields.extend(added);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_front_matter::{Bounds, values};

    fn excess(characters: usize, aliases: usize) -> bool {
        let yaml = format!("a: &a {}\nb: [{}]\n", "x".repeat(characters), vec!["*a"; aliases].join(", "));
        let mut read = values(&yaml, Bounds::NONE);
        resolve(&mut read, &yaml, true);
        let text: usize = read.root.iter().map(size).sum();
        assert!(text < yaml.len() + 2 * COPIED_BYTES + aliases * size_of::<Node>(), "{text} bytes");
        read.faults.iter().any(|fault| fault.what == What::TooComplex(Excess::Copies))
    }

    #[test]
    fn copies_of_aliases_have_a_limit() {
        assert!(!excess(20, 500));
        assert!(!excess(60_000, 1));
        assert!(excess(60_000, 900));
        assert!(excess(990_000, 990));
    }
}
