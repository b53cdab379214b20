//! Skills that may enter a prompt: a catalog without the rejected skills. Prompt blocks are built only from this type,
//! so no block contains an unchecked skill.

use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{Skill, SkillId};

/// Catalog with the ids of the skills that may enter a prompt.
#[derive(Clone, Debug)]
pub struct Accepted<'a> {
    /// Catalog of all skills.
    pub catalog: &'a Catalog,
    /// Accepted skills, by root, then by path.
    pub skills: Vec<SkillId>,
}

impl<'a> Accepted<'a> {
    /// Removes rejected skills; `rejected` has one entry per skill of the catalog.
    pub fn new(catalog: &'a Catalog, rejected: &[bool]) -> Self {
        let skills = catalog.listed.iter().copied().filter(|skill| !rejected[skill.index()]).collect();
        Self { catalog, skills }
    }

    /// Accepted skills with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SkillId, &'a Skill)> + '_ {
        self.skills.iter().map(|&id| (id, self.catalog.skill(id)))
    }
}
