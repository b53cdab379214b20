//! The finding about SKILL.md files in no skills directory.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use super::misspelled;
use crate::rule::{Facts, Finding, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, grouped};
use skilltree_runtimes::catalog::{Catalog, found};
use skilltree_skills::roots::{Places, is_packaged};
use skilltree_skills::snapshot::{File, Role};

/// Cap on the directories in the message.
const SHOWN: usize = 3;

/// Reports the SKILL.md files in no skills directory, as one finding.
///
/// A directory whose name is close to one that a runtime reads is to be renamed: no other edit makes a runtime read it.
pub(super) fn report<'s>(
    catalog: &Catalog,
    facts: &Facts<'_>,
    what: &str,
    sink: &'s mut Sink,
) -> Option<&'s mut Finding> {
    let others: Vec<(FileId, &File)> = catalog.files().filter(|(_, file)| file.role == Role::Unchecked).collect();
    let &(first, _) = others.first()?;
    let groups = Places::groups(others.iter().map(|(_, file)| file.path.as_bstr()));
    let count: usize = groups.iter().map(|(_, count)| count).sum();
    let shown = |(path, count): &(&BStr, usize)| match path.is_empty() {
        true => format!("the top directory ({})", grouped(*count)),
        false => format!("`{}` ({})", text::lossless(path), grouped(*count)),
    };
    let mut places: Vec<String> = groups.iter().take(SHOWN).map(shown).collect();
    if groups.len() > SHOWN {
        places.push(format!("{} more", grouped(groups.len() - SHOWN)));
    }
    let (files, are) = if count == 1 { ("SKILL.md file", "is") } else { ("SKILL.md files", "are") };
    let finding = sink
        .about(Subject::Tree)
        .report(Place::whole(first), format!("{} {files} {are} {what}: {}", grouped(count), places.join(", ")));
    let renames: Vec<String> = groups.iter().filter_map(|(path, _)| misspelled::rename(catalog, facts, path)).collect();
    if !renames.is_empty() {
        let more = renames.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("and {} more", grouped(more)));
        let shown: Vec<String> = renames.into_iter().take(SHOWN).chain(more).collect();
        return Some(finding.help(shown.join("; ")));
    }
    let patterns: BTreeSet<String> = groups.iter().filter_map(|(path, _)| found::pattern(path)).collect();
    if patterns.is_empty() {
        return Some(finding);
    }
    let excluded = patterns.iter().take(SHOWN).map(|path| match path.as_str() {
        "." => found::quoted("*"),
        path => found::quoted(&format!("{path}/**")),
    });
    let excluded: Vec<String> = excluded.collect();
    let tables = found::edit(&found::patterns(catalog).union(&patterns).cloned().collect());
    Some(finding.help(format!("{tables} to check them; or `exclude = [{}]`", excluded.join(", "))))
}

/// Returns whether all of these files are in directories of assets, examples, templates or samples.
pub(super) fn are_packaged(catalog: &Catalog) -> bool {
    catalog.files().filter(|(_, file)| file.role == Role::Unchecked).all(|(_, file)| is_packaged(file.path.as_bstr()))
}
