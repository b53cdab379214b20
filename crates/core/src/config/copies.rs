//! Roots that hold copies of the same skills: `mirrors` and `[[deploy]]`.

use std::collections::BTreeSet;

use super::faults::Faults;
use super::keys;
use super::paths;
use super::roots::RequestedRoot;
use super::table::{At, Table};
use crate::rule::Deployment;

/// Reads the groups of equal roots, and adds their roots.
pub(super) fn mirrors(file: &Table<'_>, roots: &mut Vec<RequestedRoot>, faults: &mut Faults) -> Vec<Vec<String>> {
    let mut mirrors = Vec::new();
    for group in file.lists("mirrors", faults) {
        let mut named: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for path in &group.value {
            let Some(root) = root(path, faults) else { continue };
            if seen.insert(root.clone()) {
                named.push(root);
            } else {
                let message = format!("`{}` appears twice in one group", path.value);
                faults.invalid(path.range.clone(), message, "remove one of the two");
            }
        }
        if group.value.len() < 2 {
            faults.invalid(group.range, "a group of mirrors needs at least two roots", "list every root of the group");
        } else if named.len() > 1 {
            roots.extend(named.iter().map(|path| asked(path)));
            mirrors.push(named);
        }
    }
    mirrors
}

/// Reads `[[deploy]]` in file order, and adds both roots of each entry.
pub(super) fn deployments(file: &Table<'_>, roots: &mut Vec<RequestedRoot>, faults: &mut Faults) -> Vec<Deployment> {
    let mut deployments = Vec::new();
    for table in file.tables("deploy", "`[[deploy]]`", faults) {
        table.only(&keys::names(keys::DEPLOY), faults);
        let mut path = |key| table.required(key, faults).and_then(|path| root(&path, faults));
        if let (Some(from), Some(to)) = (path("from"), path("to")) {
            roots.extend([&from, &to].map(|path| asked(path)));
            deployments.push(Deployment { from, to });
        }
    }
    deployments
}

/// Requests a root, because skills must be read to be compared.
fn asked(path: &str) -> RequestedRoot {
    RequestedRoot { glob: path.to_owned(), profile: None }
}

fn root(path: &At<&str>, faults: &mut Faults) -> Option<String> {
    if !faults.counts(&path.range) {
        return None;
    }
    match paths::root(path.value) {
        Ok(root) if root.split('/').any(|component| component == "**") => {
            let message = format!("`{}` does not show which directories match each other", path.value);
            faults.invalid(path.range.clone(), message, "replace `**` with one `*` per directory");
            None
        }
        Ok(root) => Some(root),
        Err(bad) => {
            faults.invalid(path.range.clone(), bad.message, bad.help);
            None
        }
    }
}
