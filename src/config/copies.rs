//! Which roots are meant to hold the same skills: `mirrors` and `[[deploy]]`.

use std::collections::BTreeSet;

use super::faults::Faults;
use super::keys;
use super::paths;
use super::roots::Asked;
use super::table::{At, Table};
use crate::rule::Deployment;

/// Groups of roots that are kept equal. Each of them is added to the roots.
pub(super) fn mirrors(file: &Table<'_>, roots: &mut Vec<Asked>, faults: &mut Faults) -> Vec<Vec<String>> {
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
            faults.invalid(group.range, "a group of mirrors wants two roots or more", "name every root of the group");
        } else if named.len() > 1 {
            roots.extend(named.iter().map(|path| asked(path)));
            mirrors.push(named);
        }
    }
    mirrors
}

/// `[[deploy]]`, in the order of the file. Both of each are added to the roots.
pub(super) fn deployments(file: &Table<'_>, roots: &mut Vec<Asked>, faults: &mut Faults) -> Vec<Deployment> {
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

/// What has to be compared has to be read.
fn asked(path: &str) -> Asked {
    Asked { glob: path.to_owned(), profile: None }
}

fn root(path: &At<&str>, faults: &mut Faults) -> Option<String> {
    if !faults.counts(&path.range) {
        return None;
    }
    match paths::root(path.value) {
        Ok(root) if root.split('/').any(|component| component == "**") => {
            let message = format!("`{}` does not say which directories belong together", path.value);
            faults.invalid(path.range.clone(), message, "write one `*` for each directory instead of `**`");
            None
        }
        Ok(root) => Some(root),
        Err(bad) => {
            faults.invalid(path.range.clone(), bad.message, bad.help);
            None
        }
    }
}
