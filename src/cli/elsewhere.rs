//! Skills in directories that are neither defaults nor configured.

use std::collections::BTreeMap;

use skilltree_lint::rule::listed;
use skilltree_report::render::{self, escape};
use skilltree_runtimes::catalog::{Catalog, found};
use skilltree_skills::roots::{Root, RootId};

use super::output::Stderr;

/// Reports the skills of a catalog that no prompt block contains: where they are, and what adds them.
pub(super) fn report(stderr: &Stderr, catalog: &Catalog) {
    let mut counts: BTreeMap<RootId, usize> = BTreeMap::new();
    for (_, skill) in catalog.skills().filter(|(_, skill)| catalog.root(skill.root).discovered) {
        *counts.entry(skill.root).or_default() += 1;
    }
    let found: Vec<(Root, usize)> =
        counts.into_iter().map(|(root, count)| (catalog.root(root).clone(), count)).collect();
    report_found(stderr, &found);
}

/// Reports skills directories that no prompt block contains, each with the number of its skills.
pub(super) fn report_found(stderr: &Stderr, found: &[(Root, usize)]) {
    if found.is_empty() {
        return;
    }
    let count = render::count(found.iter().map(|(_, count)| count).sum(), "skill");
    let place = |(root, count): &(Root, usize)| match found.len() {
        1 => escape::path(root.shown_path()),
        _ => format!("{} ({count})", escape::path(root.shown_path())),
    };
    let places: Vec<String> = found.iter().map(place).collect();
    let edit = escape::text(&found::edit(&found::of_roots(found.iter().map(|(root, _)| root))));
    stderr.info(&format!("{count} in {} cannot be in the prompt block: {edit}", listed(&places)));
}
