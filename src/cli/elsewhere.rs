//! Skills in directories that the block of a profile does not contain.

use std::collections::BTreeMap;
use std::convert::Infallible;

use bstr::ByteSlice;
use skilltree_lint::config::Config;
use skilltree_lint::rule::listed;
use skilltree_report::render::{self, escape};
use skilltree_runtimes::catalog::{Catalog, found};
use skilltree_skills::roots::{Root, RootId};

use super::output::Stderr;
use crate::prompt::SYMPHONY as WORKFLOW_PROFILE;

/// Reports the skills of a catalog that the block of a profile does not contain: where they are, and what adds them.
pub(super) fn report(stderr: &Stderr, config: &Config, profile: Option<&str>, catalog: &Catalog) {
    let counted = || -> Result<Vec<(Root, usize)>, Infallible> {
        let mut counts: BTreeMap<RootId, usize> = BTreeMap::new();
        for (_, skill) in catalog.skills().filter(|(_, skill)| !catalog.root(skill.root).configured) {
            *counts.entry(skill.root).or_default() += 1;
        }
        Ok(counts.into_iter().map(|(root, count)| (catalog.root(root).clone(), count)).collect())
    };
    match report_found(stderr, config, profile, counted) {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// Reports skills directories that the block of a profile does not contain, each with the number of its skills. They are counted
/// only if there is such a block: without a profile, a block contains all skills that were found.
pub(super) fn report_found<E>(
    stderr: &Stderr,
    config: &Config,
    profile: Option<&str>,
    found: impl FnOnce() -> Result<Vec<(Root, usize)>, E>,
) -> Result<(), E> {
    let Some(profile) = profile.or(config.dispatch.workflow.then_some(WORKFLOW_PROFILE)) else { return Ok(()) };
    let block = config.profiles.find(profile).and_then(|profile| profile.prompt.as_ref());
    let mut found = found()?;
    found.retain(|(root, _)| !block.is_some_and(|block| block.lists(root)));
    if found.is_empty() {
        return Ok(());
    }
    let count = render::count(found.iter().map(|(_, count)| count).sum(), "skill");
    let place = |(root, count): &(Root, usize)| match found.len() {
        1 => escape::path(root.shown_path()),
        _ => format!("{} ({count})", escape::path(root.shown_path())),
    };
    let places: Vec<String> = found.iter().map(place).collect();
    let mut patterns = found::of_roots(found.iter().map(|(root, _)| root));
    // A default directory has the layout of the block only with a table.
    let defaults = found.iter().filter(|(root, _)| !root.discovered);
    patterns.extend(defaults.filter_map(|(root, _)| found::pattern(root.path.as_bstr())));
    let edit = escape::text(&found::edit(&patterns));
    let profile = escape::text(profile);
    let each = if patterns.len() == 1 { " and" } else { ", each with" };
    stderr.info(&format!(
        "{count} in {} cannot be in the prompt block of {profile}: {edit}{each} `profile = \"{profile}\"`",
        listed(&places)
    ));
    Ok(())
}
