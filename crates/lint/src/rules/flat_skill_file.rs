//! Reports skills that are files instead of directories.

use std::collections::{BTreeMap, HashSet};

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, Subject, listed};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::files::Visit;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::roots::RootId;
use skilltree_skills::snapshot::{File, Role};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "flat-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a Markdown file in a skills directory has the front matter of a skill",
    why: "a skill is a directory that contains SKILL.md; most loaders skip the file, and it is not checked",
    explanation: include_str!("flat_skill_file.md"),
    check: Check::Catalog(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// The runtimes in scope that read a skills directory.
struct Readers<'a> {
    /// Those in which each Markdown file directly in it is a skill.
    of_files: Vec<&'a Profile>,
    /// Whether there are others.
    has_others: bool,
    /// Whether one of the others is widely used, and loses the skill.
    is_lost: bool,
}

impl<'a> Readers<'a> {
    fn new(catalog: &Catalog, facts: &Facts<'a>, root: RootId) -> Self {
        let readers = facts.scope.of(root).filter(|profile| profile.kind == Kind::Runtime);
        let readers = readers.filter(|profile| catalog.reads(profile, root));
        let (of_files, others): (Vec<_>, Vec<_>) =
            readers.partition(|profile| profile.loads.files.loose == Some(Visit::Read));
        let is_lost = others.iter().any(|profile| profile.is_widely_used());
        Self { of_files, has_others: !others.is_empty(), is_lost }
    }

    /// Returns whether each file is a skill in all of them.
    fn agree(&self) -> bool {
        !self.of_files.is_empty() && !self.has_others
    }

    fn words(&self) -> String {
        listed(&self.of_files.iter().map(|profile| profile.actor()).collect::<Vec<_>>())
    }
}

/// Returns the Markdown files that are skills in all runtimes in scope that read their skills directory, with these runtimes. They
/// are not checked.
pub(super) fn unchecked<'c>(catalog: &'c Catalog, facts: &Facts<'_>) -> Vec<(FileId, &'c File, String)> {
    let mut readers: BTreeMap<RootId, Option<String>> = BTreeMap::new();
    let files = catalog.flat_files().filter_map(|(id, file)| {
        let root = file.root?;
        let of_root = || Some(Readers::new(catalog, facts, root)).filter(Readers::agree).map(|readers| readers.words());
        let words = readers.entry(root).or_insert_with(of_root).clone()?;
        Some((id, file, words))
    });
    files.collect()
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let unchecked = unchecked(catalog, facts);
    let directories: HashSet<(RootId, &[u8])> =
        catalog.skills().map(|(_, skill)| (skill.root, skill.directory.as_slice())).collect();
    let is_known = |id: FileId| unchecked.binary_search_by_key(&id, |(id, ..)| *id).is_ok();
    for (id, file) in catalog.files().filter(|(id, file)| file.role == Role::Flat && !is_known(*id)) {
        let Some(root) = file.root else { continue };
        let path = text::lossless(file.path.as_bstr());
        let message = format!("`{path}` has the front matter of a skill but no skill directory");
        let finding = sink.about(Subject::Root(root)).report(Place::whole(id), message);
        finding.help(help(file));
        let readers = Readers::new(catalog, facts, root);
        // Next to a skill of its name, it is what is left of an older layout.
        let stem = text::lossless(text::file_name(file.path.as_bstr()));
        let stem = stem.rsplit_once('.').map_or(&*stem, |(stem, _)| stem);
        if !readers.is_lost || directories.contains(&(root, stem.as_bytes())) {
            finding.at_most(Level::Warning);
        }
        if !readers.of_files.is_empty() {
            finding.note(format!("it is a skill in {}", readers.words()));
        }
    }
    // If nothing at all is checked, another rule reports them.
    for (id, file, readers) in unchecked.iter().filter(|_| !catalog.parsed.skills.is_empty()) {
        let path = text::lossless(file.path.as_bstr());
        let message = format!("`{path}` is a skill in {readers}, but it is not checked: it has no skill directory");
        let subject = file.root.map_or(Subject::Tree, Subject::Root);
        sink.about(subject).report(Place::whole(*id), message).help(help(file));
    }
}

/// Returns the edit that makes a file a skill everywhere.
pub(super) fn help(file: &File) -> String {
    let path = text::lossless(file.path.as_bstr());
    let directory = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
    format!("move it to `{directory}/SKILL.md`")
}
