//! Entries of lists and the skills that they name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use bstr::{BStr, BString, ByteSlice};

use crate::rule::{Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::skill::{FoundList, SkillId, paths};
use skilltree_skills::snapshot::Role;

/// Checks each list of skills that was read.
pub(super) fn each(catalog: &Catalog, sink: &mut Sink, mut check: impl FnMut(&Names<'_>, &FoundList, &mut Sink)) {
    if catalog.parsed.lists.is_empty() {
        return;
    }
    let names = Names::new(catalog);
    sink.about(Subject::Tree);
    for list in catalog.parsed.lists.iter().filter(|list| list.unread.is_none()) {
        check(&names, list, sink);
    }
}

/// What an entry of a list names.
pub(super) enum Named<'a> {
    /// Skills. One that is not checked counts, but has no id.
    Skills(&'a [SkillId]),
    /// A directory with skills below it, such as that of a plugin.
    Directory(BString),
}

/// Skills by the names and paths that an entry can have.
pub(super) struct Names<'a> {
    catalog: &'a Catalog,
    by_directory: BTreeMap<&'a BStr, Vec<SkillId>>,
    by_name: BTreeMap<&'a BStr, Vec<SkillId>>,
    /// Directories of skills that are not checked.
    unchecked: BTreeSet<&'a BStr>,
}

impl<'a> Names<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let (mut by_directory, mut by_name) = (BTreeMap::<_, Vec<SkillId>>::new(), BTreeMap::<_, Vec<SkillId>>::new());
        for (id, skill) in catalog.skills() {
            by_directory.entry(text::parent(catalog.path(id))).or_default().push(id);
            let name = skill.name().map(BStr::new);
            let names: BTreeSet<&BStr> = name.into_iter().chain([skill.directory.as_bstr()]).collect();
            names.into_iter().for_each(|name| by_name.entry(name).or_default().push(id));
        }
        let unchecked = catalog.files().filter(|(_, file)| file.role == Role::Unchecked);
        let unchecked = unchecked.map(|(_, file)| text::parent(file.path.as_bstr())).collect();
        Self { catalog, by_directory, by_name, unchecked }
    }

    /// Returns what an entry names; `None` if it names nothing.
    pub(super) fn find(&self, list: &FoundList, entry: &str) -> Option<Named<'_>> {
        let entry = entry.trim();
        let path = entry.trim_end_matches('/');
        let is_file = path.rsplit('/').next().is_some_and(|name| roots::is_skill_file(BStr::new(name)));
        let path = if is_file { text::parent(BStr::new(path)) } else { BStr::new(path) };
        let base = text::parent(self.catalog.file(list.file).path.as_bstr());
        for candidate in [BStr::new(""), base].into_iter().filter_map(|from| paths::resolve(from, path)) {
            let candidate = candidate.as_bstr();
            if let Some(skills) = self.by_directory.get(candidate) {
                return Some(Named::Skills(skills));
            }
            if self.unchecked.contains(candidate) {
                return Some(Named::Skills(&[]));
            }
            if !candidate.is_empty() && self.has_below(candidate) {
                return Some(Named::Directory(candidate.to_owned()));
            }
        }
        self.by_name.get(BStr::new(entry)).map(|skills| Named::Skills(skills))
    }

    /// Returns whether a skill is below a directory.
    fn has_below(&self, directory: &BStr) -> bool {
        let inside = BString::from([directory.as_bytes(), b"/"].concat());
        let from = (Bound::Included(inside.as_bstr()), Bound::Unbounded);
        let checked = self.by_directory.range::<BStr, _>(from).next().map(|(path, _)| *path);
        let unchecked = self.unchecked.range::<BStr, _>(from).next().copied();
        checked.into_iter().chain(unchecked).any(|path| path.starts_with(&inside))
    }

    /// Returns the skills that a list must have.
    pub(super) fn wanted<'s>(&'s self, list: &'s FoundList) -> impl Iterator<Item = SkillId> + 's {
        let is_wanted = |id: &SkillId| {
            let skill = self.catalog.skill(*id);
            let is_own = self.catalog.root(skill.root).owner == Owner::Repository;
            is_own && list.list.covers(self.catalog.path(*id))
        };
        self.catalog.listed.iter().copied().filter(is_wanted)
    }
}
