//! Names that other skills of a skills directory have, so that no help proposes them.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use skilltree_front_matter::text;
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// The skills of a tree by the identities of their names and directories.
pub(super) struct Taken<'a> {
    catalog: &'a Catalog,
    skills: BTreeMap<(RootId, String), Vec<SkillId>>,
}

impl<'a> Taken<'a> {
    pub(super) fn new(catalog: &'a Catalog) -> Self {
        let mut skills: BTreeMap<(RootId, String), Vec<SkillId>> = BTreeMap::new();
        for (id, skill) in catalog.skills() {
            let directory = skill.directory.to_str().ok().filter(|directory| !directory.is_empty());
            for name in skill.name().into_iter().chain(directory) {
                skills.entry((skill.root, catalog::identity(name))).or_default().push(id);
            }
        }
        Self { catalog, skills }
    }

    /// Returns the directory of another skill of the same root that has a name, or whose directory has it.
    pub(super) fn by(&self, skill: SkillId, name: &str) -> Option<String> {
        let root = self.catalog.skill(skill).root;
        let holders = self.skills.get(&(root, catalog::identity(name)))?;
        let other = holders.iter().find(|&&other| other != skill)?;
        Some(text::lossless(text::parent(self.catalog.path(*other))))
    }
}
