//! The finding about SKILL.md files in no skills directory.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::{manifests, misspelled};
use crate::rule::{Facts, Finding, Level, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, grouped};
use skilltree_runtimes::catalog::{Catalog, found};
use skilltree_runtimes::scope;
use skilltree_skills::roots::{self, Places, is_packaged};
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
    without_misspelled: bool,
    sink: &'s mut Sink,
) -> Option<&'s mut Finding> {
    let mut others = unchecked(catalog);
    let mut groups = Places::groups(others.iter().map(|(_, file)| file.path.as_bstr()));
    if without_misspelled {
        groups.retain(|(path, _)| misspelled::rename(catalog, facts, path).is_none());
        let left: BTreeSet<BString> = groups.iter().map(|(path, _)| (*path).to_owned()).collect();
        others.retain(|(_, file)| roots::is_within_any(file.path.as_bstr(), &left));
    }
    let &(first, _) = others.first()?;
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
    let readers = manifests::readers(facts);
    let is_in_plugin = |path: &BStr| readers.iter().any(|profile| catalog.packages(profile).is_inside(path));
    if others.iter().all(|(_, file)| is_in_plugin(file.path.as_bstr())) {
        return Some(finding.help("move them below `skills/` of their plugin"));
    }
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
    if facts.root_option {
        let options = patterns.iter().map(|path| format!("`--root {}`", text::shell_word(path)));
        let options = text::joined_first(options.collect::<Vec<_>>().into_iter(), SHOWN);
        return Some(finding.help(format!("add {options} to check them; or `exclude = [{}]`", excluded.join(", "))));
    }
    let tables = found::edit(&found::patterns(catalog).union(&patterns).cloned().collect());
    let moved = match groups.as_slice() {
        [(path, _)] => neighbor(facts, path).map(|to| format!("move them to `{to}`, which runtimes read; or ")),
        _ => None,
    };
    let moved = moved.unwrap_or_default();
    Some(finding.help(format!("{moved}{tables} to check them; or `exclude = [{}]`", excluded.join(", "))))
}

/// Returns the skills directory that a runtime reads in a directory of its own: `.claude/skills` for `.claude/agents`, and for `.claude`.
fn neighbor(facts: &Facts<'_>, path: &BStr) -> Option<String> {
    let own = path.to_str().ok()?.split('/').next()?;
    let skills = format!("{own}/skills");
    let profiles = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    let is_known = profiles.flat_map(scope::repository_roots).any(|root| root.path == skills);
    let is_there = roots::is_within(path, skills.as_bytes().as_bstr());
    (own.starts_with('.') && is_known && !is_there).then_some(skills)
}

/// Reports each directory whose name is close to one that runtimes read: its skills are lost.
pub(super) fn misspelled(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let others = unchecked(catalog);
    for (path, count) in Places::groups(others.iter().map(|(_, file)| file.path.as_bstr())) {
        let Some(rename) = misspelled::rename(catalog, facts, path) else { continue };
        let first = others.iter().find(|(_, file)| roots::is_within(file.path.as_bstr(), path));
        let Some(&(first, _)) = first else { continue };
        let skills = if count == 1 { "the skill".to_owned() } else { format!("the {} skills", grouped(count)) };
        let message = format!("no runtime reads {skills} in `{}`: its name is misspelled", text::lossless(path));
        let finding = sink.about(Subject::Tree).report(Place::whole(first), message);
        finding.help(rename);
        // Another directory may have such a name for another reason, and an underscore often switches one off.
        if !path.starts_with(b".") || text::file_name(path).starts_with(b"_") {
            finding.at_most(Level::Warning);
        }
    }
}

fn unchecked(catalog: &Catalog) -> Vec<(FileId, &File)> {
    catalog.files().filter(|(_, file)| file.role == Role::Unchecked).collect()
}

/// Returns whether all of these files are in directories of assets, examples, templates or samples.
pub(super) fn are_packaged(catalog: &Catalog) -> bool {
    catalog.files().filter(|(_, file)| file.role == Role::Unchecked).all(|(_, file)| is_packaged(file.path.as_bstr()))
}
