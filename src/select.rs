//! Which accepted skills a prompt gets, and in what order.
//!
//! It knows nothing of bytes: what a skill adds to a block is asked of whoever renders it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bstr::ByteSlice;

use crate::accept::Accepted;
use crate::catalog::Catalog;
use crate::roots::RootId;
use crate::skill::{Skill, SkillId};
use crate::text::{self, Place};

mod fit;
mod full_text;
mod learned;
mod mention;
mod named;
mod outcome;
mod scope;
mod task;
mod tools;
mod words;

pub use fit::{Caps, Size};
pub use learned::{Learned, learned};
pub use outcome::{Dropped, Reason, Refusal, Score, Selected, Shadowed};
pub use task::{Matcher, Task};

use outcome::Chosen;

/// How the skills are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of them, bytewise by name, then by path.
    #[default]
    All,
    /// Those that fit a task best, in the order of their rank.
    Task(Task),
    /// Those that a text mentions, in the order of their first mention.
    Mentioned(String),
    /// Those of these names or directories, in that order.
    Named(Vec<String>),
    /// Those that are bound to a thread.
    Bound {
        /// The id of the thread.
        thread: String,
        /// The names or directories that it binds, in the order of the block.
        names: Vec<String>,
    },
}

impl Selection {
    /// Whether the bodies of all skills decide which are taken.
    pub fn reads_bodies(&self) -> bool {
        matches!(self, Self::Task(Task { matcher: Matcher::Bm25 | Matcher::Qmd(_), .. }))
    }
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
    /// It is looked at by itself: nothing comes with it.
    Alone,
}

/// What is wanted.
pub struct Request<'a> {
    /// The roots whose skills are wanted.
    pub roots: &'a [RootId],
    /// How deep below a root a skill may lie; `None` when at any depth.
    pub depth: Option<u32>,
    /// Whether a skill is left out because of the way that leads to it.
    pub skips: &'a dyn Fn(SkillId) -> bool,
    /// Whether a tool that two skills bring is refused.
    pub merges_tools: bool,
    /// Names that are left out.
    pub reserved: &'a [String],
    /// How the skills are chosen.
    pub selection: &'a Selection,
    /// What the repository allows.
    pub limits: Caps,
    /// What the runtime has room for.
    pub budget: Caps,
    /// What the runtime has room for in one skill.
    pub each: Caps,
    /// The body of a skill, where the selection goes by bodies.
    pub body: &'a (dyn Fn(SkillId) -> Cow<'a, str> + Sync),
    /// Why a skill cannot be rendered whatever room there is; `None` when it can.
    pub unfit: &'a dyn Fn(SkillId) -> Option<(Reason, String)>,
    /// What a block grows by when a skill enters it.
    pub growth: &'a dyn Fn(SkillId, Stand) -> Size,
}

/// Chooses, orders and cuts to size.
pub fn select(accepted: &Accepted<'_>, request: &Request<'_>) -> Selected {
    let Choice { mut chosen, shadowed } = choice(accepted, request);
    let (skills, unfitting) = fit::fit(&chosen.skills, accepted.catalog, request);
    if request.merges_tools {
        chosen.refused.extend(tools::twice(&skills, accepted.catalog));
    }
    let dropped = unfitting.into_iter().chain(chosen.dropped).collect();
    Selected { skills, dropped, shadowed, missing: chosen.missing, scores: chosen.scores, refused: chosen.refused }
}

/// The skills that are taken when there is room for all.
pub fn wanted(accepted: &Accepted<'_>, request: &Request<'_>) -> Vec<SkillId> {
    choice(accepted, request).chosen.skills
}

/// The skills that a selection chooses from.
pub fn candidates(accepted: &Accepted<'_>, request: &Request<'_>) -> Vec<SkillId> {
    scope::unshadowed(accepted, request).0
}

/// What is chosen before anything is cut.
struct Choice {
    chosen: Chosen,
    shadowed: Vec<Shadowed>,
}

fn choice(accepted: &Accepted<'_>, request: &Request<'_>) -> Choice {
    let catalog = accepted.catalog;
    let (mut skills, shadowed) = scope::unshadowed(accepted, request);
    by_name(&mut skills, catalog);
    let chosen = match request.selection {
        Selection::All => Chosen { skills, ..Chosen::default() },
        Selection::Task(task) => task::choose(&skills, catalog, request.body, task),
        Selection::Mentioned(text) => mention::choose(&skills, catalog, text),
        Selection::Named(names) => named::choose(&skills, accepted, request, names),
        Selection::Bound { names, .. } => named::bound(&skills, catalog, names),
    };
    Choice { chosen, shadowed }
}

/// The words of a task that say what it is about, as skills are compared with it: letters and digits alone.
pub fn task_words(task: &str) -> BTreeSet<String> {
    words::telling(task)
}

/// The name that a skill has in a prompt. An accepted skill has one; the directory stands in for what was let through.
pub fn name(skill: &Skill) -> Cow<'_, str> {
    skill.name().map_or_else(|| Cow::Owned(text::lossless(skill.directory.as_bstr())), Cow::Borrowed)
}

/// Where a skill says what its name is: the place to show when a skill is one of many.
pub fn name_place(skill: &Skill) -> Place {
    skill.field("name").map_or_else(|| skill.opener(), |field| field.value.place)
}

fn by_name(skills: &mut [SkillId], catalog: &Catalog) {
    skills.sort_by_cached_key(|&id| (name(catalog.skill(id)).into_owned(), catalog.path(id)));
}

#[cfg(test)]
mod tests;
