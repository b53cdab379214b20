//! Reports roots without skills: configured ones, and those that hold Markdown files instead.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::{flat_skill_file, misnamed_skill_file};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::snapshot::{Body, Resolution, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "no-skills-found",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "a root contains no skills",
    why: "a misspelled or moved root leaves agents without skills, and the check passes",
    explanation: include_str!("no_skills_found.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

/// The Markdown files in the place of skills, by root: their number, and the first.
type Misplaced<'a> = BTreeMap<RootId, (usize, &'a BStr)>;

/// Returns the Markdown files directly in roots that do not have the front matter of a skill. Other rules report those that do, and
/// those that are skills in the runtimes in scope.
fn misplaced<'c>(catalog: &'c Catalog, facts: &Facts<'_>) -> Misplaced<'c> {
    let mut found: Misplaced<'_> = BTreeMap::new();
    let unchecked = flat_skill_file::unchecked(catalog, facts).into_iter().map(|(_, file, _)| file);
    let flat = catalog.files().map(|(_, file)| file).filter(|file| file.role == Role::Flat).chain(unchecked);
    let flat: BTreeSet<RootId> = flat.filter_map(|file| file.root).collect();
    for (_, file) in catalog.flat_files() {
        if let Some(root) = file.root.filter(|root| !flat.contains(root)) {
            found.entry(root).or_insert((0, file.path.as_bstr())).0 += 1;
        }
    }
    found
}

fn report_misplaced(root: RootId, place: Place, path: &str, (count, first): (usize, &BStr), sink: &mut Sink) {
    let files = if count == 1 { "Markdown file" } else { "Markdown files" };
    let first = text::lossless(first);
    let directory = first.strip_suffix(".md").unwrap_or(&first);
    sink.about(Subject::Root(root))
        .report(place, format!("`{path}` contains {} {files} and no skill", text::grouped(count)))
        .at_most(Level::Warning)
        .help(format!("move each to a directory, as `{directory}/SKILL.md`, with `name` and `description`"));
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    // Another rule reports that nothing at all is checked.
    if catalog.parsed.skills.is_empty() && catalog.files().any(|(_, file)| file.role == Role::Unchecked) {
        return;
    }
    // The skills that the root was meant to hold may be there, unchecked.
    let is_moved = catalog.files().any(|(_, file)| matches!(file.role, Role::Unchecked | Role::Near));
    let level = if is_moved { Level::Error } else { Level::Warning };
    // Other rules report entries that are in place of a skill but are not skills.
    let unread = misnamed_skill_file::unread(catalog).filter_map(|(_, file)| file.root);
    let filled: BTreeSet<RootId> = catalog.parsed.skills.iter().map(|skill| skill.root).chain(unread).collect();
    // A pattern matches directories that were not intended, such as `src/skills`.
    let misplaced = misplaced(catalog, facts);
    let useful: BTreeSet<u32> = filled.iter().map(|&root| catalog.root(root).pattern).collect();
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Root) {
        let Some(number) = file.root else { continue };
        let root = catalog.root(number);
        let is_root_itself = file.path == root.path;
        let is_filled = filled.contains(&number) || (root.matched && useful.contains(&root.pattern));
        if !is_root_itself || is_filled {
            continue;
        }
        let path = text::lossless(root.shown_path());
        if !root.configured {
            if let Some((count, first)) = misplaced.get(&number) {
                report_misplaced(number, Place::whole(id), &path, (*count, first), sink);
            }
            continue;
        }
        let (message, help) = match &file.body {
            Body::Absent if root.matched => {
                (format!("no directory matches the root `{path}`"), "correct the pattern, or remove it".to_owned())
            }
            Body::Absent => (
                format!("the root `{path}` does not exist"),
                format!("correct its path, or add a skill: `{path}/<name>/SKILL.md`"),
            ),
            Body::Directory | Body::Symlink { resolution: Resolution::Directory(_), .. } => (
                format!("the root `{path}` contains no skills"),
                format!("add a skill: `{path}/<name>/SKILL.md`; a Markdown file directly in a root is not a skill"),
            ),
            // Another rule reports that the root is not a directory.
            _ => continue,
        };
        let help = moved(catalog, &path).map_or(help, |to| format!("write `path = \"{to}\"` in `[[root]]`"));
        sink.about(Subject::Root(number)).report(Place::whole(id), message).help(help).at_most(level);
    }
}

/// Returns the directory with unchecked skills that the path of a root differs from in one letter.
pub(super) fn moved(catalog: &Catalog, path: &str) -> Option<String> {
    let near = catalog.files().filter(|(_, file)| file.role == Role::Near).map(|(_, file)| file.path.as_bstr());
    let unchecked = catalog.files().filter(|(_, file)| file.role == Role::Unchecked).map(|(_, file)| &file.path);
    let unchecked = unchecked.map(|path| text::parent(text::parent(path.as_bstr())));
    let directories: BTreeSet<&BStr> = near.chain(unchecked).collect();
    let directories = directories.into_iter().filter_map(|directory| directory.to_str().ok());
    text::one_letter_off(path, directories).map(str::to_owned)
}
