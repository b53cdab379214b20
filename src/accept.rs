//! The skills that may enter a prompt: a catalog less what the driver rejected. It is the only way to a prompt block,
//! so no block can hold a skill that was not judged.

use crate::catalog::Catalog;
use crate::skill::{Skill, SkillId};

/// A catalog and the skills of it that may enter a prompt.
#[derive(Clone, Debug)]
pub struct Accepted<'a> {
    /// Every skill, side by side.
    pub catalog: &'a Catalog,
    /// The accepted ones, by root, then by path.
    pub skills: Vec<SkillId>,
}

impl<'a> Accepted<'a> {
    /// Leaves out what was rejected; `rejected` has an entry a skill of the catalog.
    pub fn new(catalog: &'a Catalog, rejected: &[bool]) -> Self {
        let skills = catalog.listed.iter().copied().filter(|skill| !rejected[skill.index()]).collect();
        Self { catalog, skills }
    }

    /// The accepted skills with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (SkillId, &'a Skill)> + '_ {
        self.skills.iter().map(|&id| (id, self.catalog.skill(id)))
    }
}
