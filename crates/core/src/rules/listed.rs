//! Entries of lists and the skills that they name.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use crate::catalog::Catalog;
use crate::roots::{self, Owner};
use crate::skill::{FoundList, SkillId};
use crate::snapshot::Role;
use crate::text;

/// Skills by the names and paths that an entry can have.
pub(super) struct Names<'a> {
    catalog: &'a Catalog,
    by_directory: BTreeMap<&'a BStr, Vec<SkillId>>,
    by_name: BTreeMap<&'a BStr, Vec<SkillId>>,
    /// Directories of skills that are not checked.
    unchecked: BTreeSet<&'a BStr>,
}

impl<'a> Names<'a> {
    pub(super) fn new(catalog: &'a Catalog) -> Self {
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

    /// Returns the skills that an entry names; `None` if it names nothing. A skill that is not checked counts, but has no id.
    pub(super) fn find(&self, list: &FoundList, entry: &str) -> Option<&[SkillId]> {
        let entry = entry.trim();
        let path = entry.trim_end_matches('/');
        let is_file = path.rsplit('/').next().is_some_and(|name| roots::is_skill_file(BStr::new(name)));
        let path = if is_file { text::parent(BStr::new(path)) } else { BStr::new(path) };
        let base = text::parent(self.catalog.file(list.file).path.as_bstr());
        let from_file = BString::from([base.as_bytes(), b"/", path.as_bytes()].concat());
        let candidates = [path.to_owned(), from_file].map(|path| normalized(path.as_bstr()));
        for candidate in candidates.into_iter().flatten() {
            let candidate = candidate.as_bytes().as_bstr();
            if let Some(skills) = self.by_directory.get(candidate) {
                return Some(skills);
            }
            if self.unchecked.contains(candidate) {
                return Some(&[]);
            }
        }
        self.by_name.get(BStr::new(entry)).map(Vec::as_slice)
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

/// Returns a path without `.` and `..`; `None` if it leaves the top.
fn normalized(path: &BStr) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in path.to_str().ok()?.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}
