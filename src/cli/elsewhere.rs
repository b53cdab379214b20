//! Skills in directories that are neither defaults nor configured.

use std::collections::BTreeMap;

use skilltree_core::catalog::{Catalog, found};
use skilltree_core::render::{self, escape};
use skilltree_core::roots::RootId;
use skilltree_core::rule::listed;

use super::output::Stderr;

/// Reports that no block contains them, where they are, and what adds them.
pub(super) fn report(stderr: &Stderr, catalog: &Catalog) {
    let mut counts: BTreeMap<RootId, usize> = BTreeMap::new();
    for (_, skill) in catalog.skills().filter(|(_, skill)| catalog.root(skill.root).discovered) {
        *counts.entry(skill.root).or_default() += 1;
    }
    if counts.is_empty() {
        return;
    }
    let count = render::count(counts.values().sum(), "skill");
    let place = |(root, count): (&RootId, &usize)| match counts.len() {
        1 => escape::path(catalog.root(*root).shown_path()),
        _ => format!("{} ({count})", escape::path(catalog.root(*root).shown_path())),
    };
    let places: Vec<String> = counts.iter().map(place).collect();
    let edit = escape::text(&found::edit(&found::patterns(catalog)));
    stderr.info(&format!("{count} in {} cannot be in the prompt block: {edit}", listed(&places)));
}
