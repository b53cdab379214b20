//! Which accepted skills a prompt gets, and in what order.
//!
//! It knows nothing of bytes: what a skill adds to a block is asked of whoever renders it.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use crate::accept::Accepted;
use crate::catalog::{self, Catalog};
use crate::roots::RootId;
use crate::skill::{Skill, SkillId};
use crate::text::{self, Place};

mod fit;

pub use fit::{Caps, Size};

/// How the skills are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of them, bytewise by name, then by path.
    #[default]
    All,
}

/// Where a skill would come to stand in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It is the first of all: what surrounds the block comes with it.
    First,
    /// It is the first of its root: what introduces the root comes with it.
    FirstOfRoot,
    /// It stands beside others of its root.
    Beside,
}

/// What is wanted.
pub struct Request<'a> {
    /// The roots whose skills are wanted.
    pub roots: &'a [RootId],
    /// How deep below a root a skill may lie; `None` when at any depth.
    pub depth: Option<u32>,
    /// Names that are left out.
    pub reserved: &'a [String],
    /// How the skills are chosen.
    pub selection: &'a Selection,
    /// What the repository allows.
    pub limits: Caps,
    /// What the runtime has room for.
    pub budget: Caps,
    /// What a block grows by when a skill enters it.
    pub growth: &'a dyn Fn(SkillId, Stand) -> Size,
}

/// What a prompt gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// The skills in their order.
    pub skills: Vec<SkillId>,
    /// The skills that were wanted and had no room, in their order.
    pub dropped: Vec<Dropped>,
    /// The skills that another of the same name stands before, in the order of roots and paths.
    pub shadowed: Vec<Shadowed>,
}

/// A skill that had no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The skill.
    pub skill: SkillId,
    /// Why.
    pub reason: Reason,
    /// Why, with the numbers.
    pub detail: String,
}

/// Why a skill that may enter a prompt does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are as many skills as the repository allows.
    Cap,
    /// The block would be larger than the repository or the runtime allows.
    Budget,
}

impl Reason {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cap => "cap",
            Self::Budget => "budget",
        }
    }
}

/// A skill that another of the same name stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// The skill.
    pub skill: SkillId,
    /// The one that stays.
    pub by: SkillId,
}

/// Chooses, orders and cuts to size.
pub fn select(accepted: &Accepted<'_>, request: &Request<'_>) -> Selected {
    let (mut skills, shadowed) = unshadowed(accepted, request);
    match request.selection {
        Selection::All => by_name(&mut skills, accepted.catalog),
    }
    let (skills, dropped) = fit::fit(&skills, accepted.catalog, request);
    Selected { skills, dropped, shadowed }
}

/// The name that a skill has in a prompt. An accepted skill has one; the directory stands in for what was let through.
pub fn name(skill: &Skill) -> Cow<'_, str> {
    skill.name().map_or_else(|| Cow::Owned(text::lossless(skill.directory.as_bstr())), Cow::Borrowed)
}

/// Where a skill says what its name is: the place to show when a skill is one of many.
pub fn name_place(skill: &Skill) -> Place {
    skill.field("name").map_or_else(|| skill.opener(), |field| field.value.place)
}

/// The skills that are asked for, less those that another of the same name stands before. Of duplicates the first by
/// the order of the roots, then by path, stays. Roots that one pattern matched are scopes of their own beside each
/// other: `packages/a` and `packages/b` may each have a skill of one name.
fn unshadowed(accepted: &Accepted<'_>, request: &Request<'_>) -> (Vec<SkillId>, Vec<Shadowed>) {
    let catalog = accepted.catalog;
    let mut winners: BTreeMap<String, (SkillId, SkillId)> = BTreeMap::new();
    let (mut skills, mut shadowed) = (Vec::new(), Vec::new());
    for id in of_roots(accepted, request.roots) {
        let skill = catalog.skill(id);
        let name = name(skill);
        let is_deeper = request.depth.is_some_and(|depth| skill.depth > depth);
        if is_deeper || request.reserved.iter().any(|reserved| *reserved == name) {
            continue;
        }
        match winners.entry(catalog::identity(&name)) {
            Entry::Vacant(vacant) => {
                vacant.insert((id, id));
                skills.push(id);
            }
            Entry::Occupied(mut occupied) => {
                let (first, last) = *occupied.get();
                // Winners of one name are all brothers, and skills come root by root: the last one speaks for its root.
                if is_brother(catalog, skill.root, catalog.skill(last).root) {
                    occupied.insert((first, id));
                    skills.push(id);
                } else {
                    let same_root = catalog.skill(last).root == skill.root;
                    shadowed.push(Shadowed { skill: id, by: if same_root { last } else { first } });
                }
            }
        }
    }
    (skills, shadowed)
}

/// The accepted skills of some roots, by root, then by path. They stand in that order, so each root is found by halving:
/// a repository of a thousand packages asks for a thousand blocks.
fn of_roots(accepted: &Accepted<'_>, roots: &[RootId]) -> impl Iterator<Item = SkillId> {
    let roots: BTreeSet<RootId> = roots.iter().copied().collect();
    let root_of = |id: &SkillId| accepted.catalog.skill(*id).root;
    roots.into_iter().flat_map(move |root| {
        let start = accepted.skills.partition_point(|id| root_of(id) < root);
        let end = accepted.skills.partition_point(|id| root_of(id) <= root);
        accepted.skills[start..end].iter().copied()
    })
}

/// Whether two roots are scopes of their own that one pattern matched.
fn is_brother(catalog: &Catalog, a: RootId, b: RootId) -> bool {
    let (one, other) = (catalog.root(a), catalog.root(b));
    a != b && one.matched && other.matched && one.pattern == other.pattern
}

fn by_name(skills: &mut [SkillId], catalog: &Catalog) {
    skills.sort_by_cached_key(|&id| (name(catalog.skill(id)).into_owned(), catalog.path(id)));
}

#[cfg(test)]
mod tests;
