//! Selection of accepted skills for a prompt, and their order.
//!
//! This module does not render: the caller supplies the size that a skill adds to a block.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::accept::Accepted;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

mod disabled;
mod fit;
mod full_text;
mod learned;
mod mention;
mod named;
mod names;
mod outcome;
mod scope;
mod task;
mod tools;
mod words;

pub use fit::{Caps, Size};
pub(crate) use learned::valid;
pub use learned::{Learned, learned};
pub use names::Names;
pub use outcome::{Dropped, Reason, Refusal, Score, Selected, Shadowed};
pub use task::{Matcher, Task};
pub(crate) use words::stop_words;

use outcome::Chosen;

/// How skills are selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All skills, bytewise by name, then by path.
    #[default]
    All,
    /// Skills that match a task, by rank.
    Task(Task),
    /// Skills that a text mentions, in the order of the first mention.
    Mentioned(String),
    /// Skills with these names or directories, in this order.
    Named(Vec<String>),
    /// Skills bound to a thread.
    Bound {
        /// Id of the thread.
        thread: String,
        /// Bound names or directories, in the order of the block.
        names: Vec<String>,
    },
}

impl Selection {
    /// Returns whether the selection depends on the bodies of all skills.
    pub(crate) fn reads_bodies(&self) -> bool {
        matches!(self, Self::Task(Task { matcher: Matcher::Bm25, .. }))
    }
}

/// Position of a skill in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// First of the block: its size includes the text around the block.
    First,
    /// First of its root: its size includes the heading of the root.
    FirstOfRoot,
    /// After another skill of its root.
    Following,
    /// Separate: its size includes no surrounding text.
    Separate,
}

/// Returns the body of a skill.
pub type Body<'a> = &'a (dyn Fn(SkillId) -> Cow<'a, str> + Sync);

/// Returns why a skill cannot be in a block with the chosen skills.
pub type Unfit<'a> = &'a dyn Fn(SkillId, &Names) -> Option<(Reason, String)>;

/// Input of a selection.
pub struct Request<'a> {
    /// Roots to select from.
    pub roots: &'a [RootId],
    /// Maximum depth of a skill below its root; `None` for any depth.
    pub depth: Option<u32>,
    /// Returns whether a skill is skipped because of its path.
    pub skips: &'a dyn Fn(SkillId) -> bool,
    /// Whether to refuse a tool that two skills define.
    pub merges_tools: bool,
    /// Whether a skill is known by its directory instead of its name.
    pub by_directory: bool,
    /// Names that are skipped.
    pub reserved: &'a [String],
    /// How skills are selected.
    pub selection: &'a Selection,
    /// Caps of the repository.
    pub limits: Caps,
    /// Caps of the runtime.
    pub budget: Caps,
    /// Caps of the runtime for one skill.
    pub each: Caps,
    /// Returns the body of a skill, for selections that depend on bodies.
    pub body: Body<'a>,
    /// Returns why a skill cannot be in a block with the chosen skills, whatever the budget; `None` if it can.
    pub unfit: Unfit<'a>,
    /// Returns the size that a skill adds to a block.
    pub growth: &'a dyn Fn(SkillId, Position) -> Size,
}

/// Selects skills, orders them and applies the caps.
pub fn select(accepted: &Accepted<'_>, request: &Request<'_>) -> Selected {
    let Choice { mut chosen, shadowed } = choice(accepted, request);
    let (skills, unfitting) = fit::fit(&chosen.skills, accepted.catalog, request);
    if request.merges_tools {
        chosen.refused.extend(tools::duplicates(&skills, accepted.catalog));
    }
    let dropped = unfitting.into_iter().chain(chosen.dropped).collect();
    Selected { skills, dropped, shadowed, missing: chosen.missing, scores: chosen.scores, refused: chosen.refused }
}

/// Returns the selected skills before the caps apply.
pub fn wanted(accepted: &Accepted<'_>, request: &Request<'_>) -> Vec<SkillId> {
    choice(accepted, request).chosen.skills
}

/// Returns the skills that the selection chooses from.
pub(crate) fn candidates(accepted: &Accepted<'_>, request: &Request<'_>) -> Vec<SkillId> {
    let skills = scope::unshadowed(accepted, request).0;
    disabled::without_disabled(skills, accepted.catalog, request.selection).0
}

/// Returns the skills that lose to an earlier one with the same name.
pub(crate) fn shadowed(accepted: &Accepted<'_>, request: &Request<'_>) -> Vec<Shadowed> {
    scope::unshadowed(accepted, request).1
}

/// Returns the words of a text, sorted, each once.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    words::words(text).collect::<BTreeSet<String>>().into_iter().collect()
}

/// Selection before the caps apply.
struct Choice {
    chosen: Chosen,
    shadowed: Vec<Shadowed>,
}

fn choice(accepted: &Accepted<'_>, request: &Request<'_>) -> Choice {
    let catalog = accepted.catalog;
    let (mut skills, shadowed) = scope::unshadowed(accepted, request);
    by_name(&mut skills, catalog, request.by_directory);
    let (skills, disabled) = disabled::without_disabled(skills, catalog, request.selection);
    let mut chosen = match request.selection {
        Selection::All => Chosen { skills, ..Chosen::default() },
        Selection::Task(task) => task::choose(&skills, catalog, request.body, task),
        Selection::Mentioned(text) => mention::choose(&skills, catalog, text),
        Selection::Named(names) => named::choose(&skills, accepted, request, names),
        Selection::Bound { names, .. } => named::bound(&skills, catalog, request, names),
    };
    chosen.dropped.extend(disabled);
    Choice { chosen, shadowed }
}

fn by_name(skills: &mut [SkillId], catalog: &Catalog, by_directory: bool) {
    skills.sort_by_cached_key(|&id| (catalog.skill(id).known_as(by_directory).into_owned(), catalog.path(id)));
}

#[cfg(test)]
mod tests;
