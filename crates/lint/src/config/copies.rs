//! Roots that hold copies of the same skills: `mirrors` and `[[deploy]]`.

use std::collections::BTreeSet;

use super::faults::Faults;
use super::keys;
use super::paths;
use super::roots::RequestedRoot;
use super::table::{At, Table};
use crate::rule::Deployment;
use skilltree_runtimes::profile::Profiles;

/// The start of the path of a directory of the user.
const HOME: &str = "~/";

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

/// Reads `[[deploy]]` in file order, and adds the roots of each entry that are in the repository. A directory of the user is
/// compared only with `--user`: the checked tree must not decide that it is read.
pub(super) fn deployments(file: &Table<'_>, roots: &mut Vec<RequestedRoot>, faults: &mut Faults) -> Vec<Deployment> {
    let mut deployments = Vec::new();
    for table in file.tables("deploy", "`[[deploy]]`", faults) {
        table.only(&keys::names(keys::DEPLOY), faults);
        let from = table.required("from", faults).and_then(|path| root(&path, faults));
        let to = table.required("to", faults).and_then(|path| match path.value.starts_with(HOME) {
            true => of_user(&path, faults),
            false => root(&path, faults),
        });
        if let (Some(from), Some(to)) = (from, to) {
            roots.extend([&from, &to].into_iter().filter(|path| !path.starts_with(HOME)).map(|path| asked(path)));
            deployments.push(Deployment { from, to });
        }
    }
    deployments
}

/// Returns a skills directory of the user, one that a runtime reads.
fn of_user(path: &At<&str>, faults: &mut Faults) -> Option<String> {
    if !faults.counts(&path.range) {
        return None;
    }
    let profiles = Profiles::default();
    let directory = path.value.trim_end_matches('/');
    let reads =
        |id: &str| profiles.find(id).is_some_and(|profile| profile.outside().any(|(known, _)| known == directory));
    if !profiles.ids().any(reads) {
        let message = format!("`{}` is not a skills directory of the user that a runtime reads", path.value);
        faults.invalid(path.range.clone(), message, "`skilltree profiles` shows the directories that runtimes read");
        return None;
    }
    Some(directory.to_owned())
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
