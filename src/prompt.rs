//! Selection, budget and rendering to the artifact that a dispatcher injects.
//!
//! The one way to a prompt block is [`build`]. It is total and pure: what has to be read again for it (see [`wanted`])
//! is passed in as plain values, and what goes wrong is part of what comes out.

use bstr::ByteSlice;

use crate::accept::Accepted;
use crate::catalog::Catalog;
use crate::profile::Rendering;
use crate::roots::{self, Owner, Root};
use crate::select::{self, Reason, Refusal, Request, Selected};
use crate::skill::SkillId;
use crate::text::{self, FileId};

mod line;
mod markdown;
mod body;
mod block;
mod symphony;
mod agentskills;
mod messages;
mod swarm;
mod amacs;
mod majordomo;
mod learned;
mod index;
mod comment;
mod statement;
mod recipe;
mod template;
mod material;
mod verify;

pub use block::Block;
pub use index::is_index;
pub use material::{Contents, Material, Problem, Skipped, SourceError};
pub use recipe::Recipe;
pub use template::Template;
pub use verify::{Difference, How, verify};

use block::Shape;

/// A file of the artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// The block.
    Block,
    /// The index of its skills.
    Index,
    /// What to tell the people of the issue that is worked on.
    Comment,
    /// What was made, from what, and how: an in-toto statement.
    Statement,
}

impl Name {
    /// The files of an artifact, whether or not it has each of them.
    pub const ALL: [Self; 4] = [Self::Block, Self::Index, Self::Comment, Self::Statement];

    /// The files that are the same for the same skills and recipe: the statement names the commit besides.
    pub const REPRODUCED: [Self; 3] = [Self::Block, Self::Index, Self::Comment];

    /// The name of the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Block => "available-skills.md",
            Self::Index => "skills.json",
            Self::Comment => "comment.md",
            Self::Statement => "statement.json",
        }
    }
}

/// What a dispatcher injects, and what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The files, in the order of [`Name::ALL`]. One that is not among them must not exist.
    pub files: Vec<(Name, Vec<u8>)>,
    /// What is in the block, and what had no room in it.
    pub selected: Selected,
    /// What was asked for and cannot be had; nothing may be written then.
    pub refused: Vec<Refusal>,
}

impl Artifact {
    /// The content of a file; `None` when the artifact has no such file.
    pub fn file(&self, name: Name) -> Option<&[u8]> {
        self.files.iter().find(|(other, _)| *other == name).map(|(_, content)| content.as_slice())
    }

    /// The block: exactly these bytes go into the prompt.
    pub fn block(&self) -> &[u8] {
        self.file(Name::Block).unwrap_or_default()
    }
}

/// Builds the artifact. It cannot fail, reads nothing, and gives the same bytes for the same skills and recipe.
pub fn build(accepted: &Accepted<'_>, recipe: &Recipe, material: &Material) -> Artifact {
    let mut selected = choose(accepted, recipe, &material.contents);
    let mut block = made(accepted, recipe, &selected, &material.contents).unwrap_or_else(|refusal| {
        selected.refused.push(refusal);
        Block::default()
    });
    let shape = shape(recipe);
    learned::insert(&mut block, accepted.catalog, recipe, shape.head, shape.tail);
    let skipped = if recipe.enabled { material::in_order(&material.skipped) } else { Vec::new() };
    let index = index::render(accepted.catalog, recipe, material, &selected, &block, &skipped);
    let mut files = vec![(Name::Block, block.text.into_bytes()), (Name::Index, index)];
    // A tracker hears of the repository's own files: what lies in somebody's home directory is nobody else's.
    let told: Vec<Skipped> = skipped.into_iter().filter(|skipped| is_committed(accepted.catalog, skipped)).collect();
    if !told.is_empty() {
        files.push((Name::Comment, comment::render(&told).into_bytes()));
    }
    files.push((Name::Statement, statement::render(accepted.catalog, recipe, material, &files)));
    let refused = std::mem::take(&mut selected.refused);
    Artifact { files, selected, refused }
}

/// Whether what was skipped lies in a root of the repository.
fn is_committed(catalog: &Catalog, skipped: &Skipped) -> bool {
    let is_its = |root: &Root| roots::is_within(skipped.path.as_bstr(), root.path.as_bstr());
    catalog.parsed.roots.iter().filter(|root| root.owner != Owner::Repository).all(|root| !is_its(root))
}

/// The files whose contents [`build`] wants to be given in [`Material::contents`]: those of the skills of the block, and
/// of all that may come into it where the bodies decide what has room.
pub fn wanted(accepted: &Accepted<'_>, recipe: &Recipe) -> Vec<FileId> {
    let nothing = Contents::new();
    let shape = shape(recipe);
    let skills = with_request(accepted, recipe, &nothing, |request| match recipe.enabled {
        false => Vec::new(),
        true if recipe.selection.reads_bodies() => select::candidates(accepted, request),
        true if shape.inlines => select::wanted(accepted, request),
        true => select::select(accepted, request).skills,
    });
    skills.into_iter().map(|skill| accepted.catalog.skill(skill).file).collect()
}

/// The skills of the block, and those that had no room in it; none when the recipe says that there is to be no block.
/// The contents are those of [`wanted`]; a block without bodies needs none.
pub fn choose(accepted: &Accepted<'_>, recipe: &Recipe, contents: &Contents) -> Selected {
    match recipe.enabled {
        true => with_request(accepted, recipe, contents, |request| select::select(accepted, request)),
        false => Selected::default(),
    }
}

/// Asks for what a recipe wants.
fn with_request<T>(
    accepted: &Accepted<'_>,
    recipe: &Recipe,
    contents: &Contents,
    ask: impl FnOnce(&Request<'_>) -> T,
) -> T {
    let shape = shape(recipe);
    let catalog = accepted.catalog;
    let unread = |id: SkillId| shape.inlines && !contents.contains_key(&catalog.skill(id).file);
    ask(&Request {
        roots: &recipe.roots,
        depth: recipe.depth,
        skips: &|id| recipe.skips(catalog, id),
        merges_tools: recipe.merges_tools,
        reserved: &recipe.reserved,
        selection: &recipe.selection,
        limits: recipe.limits,
        budget: recipe.budget,
        each: recipe.each,
        body: &|id| {
            let skill = catalog.skill(id);
            contents.get(&skill.file).map(|content| body::text(skill, content)).unwrap_or_default()
        },
        unfit: &|id| match unread(id) {
            true => Some((Reason::Unread, "its body could not be read".to_owned())),
            false => (shape.unfit)(&shape.entry(catalog, contents, id)).map(|detail| (Reason::Wrapper, detail)),
        },
        growth: &|id, stand| match &recipe.template {
            Some(template) => template.growth(catalog, contents, id, stand),
            None => shape.growth(catalog, contents, id, stand),
        },
    })
}

/// The block of skills that were chosen; empty when there are none, so that nothing changes for a dispatcher.
pub fn render(accepted: &Accepted<'_>, recipe: &Recipe, selected: &Selected, contents: &Contents) -> Block {
    made(accepted, recipe, selected, contents).unwrap_or_default()
}

/// The block, unless the template cannot be obeyed.
fn made(accepted: &Accepted<'_>, recipe: &Recipe, selected: &Selected, contents: &Contents) -> Result<Block, Refusal> {
    match &recipe.template {
        Some(template) => template.assemble(accepted.catalog, contents, &selected.skills),
        None => Ok(shape(recipe).assemble(accepted.catalog, contents, &selected.skills)),
    }
}

/// The names of skills for a sentence, each in backticks: as many as `most`, and how many more there are.
pub fn named(catalog: &Catalog, skills: &[SkillId], most: usize) -> String {
    let shown = skills.iter().take(most);
    let mut names: Vec<String> =
        shown.map(|&id| format!("`{}`", text::shortened(&select::name(catalog.skill(id)), 64))).collect();
    if skills.len() > most {
        names.push(format!("{} more", skills.len() - most));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The form of a block. A template shows what the index says of a skill, as the list of names does.
fn shape(recipe: &Recipe) -> &'static Shape {
    match recipe.rendering {
        _ if recipe.template.is_some() => &symphony::SHAPE,
        Rendering::Symphony => &symphony::SHAPE,
        Rendering::Agentskills => &agentskills::SHAPE,
        Rendering::Messages => &messages::SHAPE,
        Rendering::Swarm => &swarm::SHAPE,
        Rendering::Amacs => &amacs::SHAPE,
        Rendering::Majordomo => &majordomo::SHAPE,
    }
}
