//! Selection, budget and rendering of the artifact that a dispatcher injects.
//!
//! [`build`] is the only way to a prompt block. It is total and pure: contents that must be read again (see [`wanted`])
//! are passed in, and errors are part of the result.

use bstr::ByteSlice;

use crate::accept::Accepted;
use crate::select::{self, Names, Reason, Refusal, Request, Selected, Size};
use skilltree_front_matter::text::FileId;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Rendering;
use skilltree_runtimes::profile::artifact::BLOCK_FILE;
use skilltree_skills::roots::{self, Owner, Root};
use skilltree_skills::skill::{Skill, SkillId};

mod line;
mod markdown;
mod structure;
mod body;
mod block;
mod symphony;
mod agentskills;
mod messages;
mod swarm;
mod amacs;
mod majordomo;
mod learned;
mod facts;
mod index;
mod catalog;
mod comment;
mod statement;
mod recipe;
mod template;
mod material;
mod verify;

pub use block::Block;
pub use catalog::{Described, describe, selectable};
pub use facts::short_description;
pub use index::is_index;
pub use material::{Contents, Material, Problem, Skipped, SourceError};
pub use recipe::Recipe;
pub use template::Template;
pub use verify::{Difference, How, verify};

use block::Shape;

/// File of the artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// The block.
    Block,
    /// The index of the skills in the block.
    Index,
    /// All skills that can be selected.
    Catalog,
    /// The comment for the issue that the agent works on.
    Comment,
    /// The provenance of the artifact: an in-toto statement.
    Statement,
}

impl Name {
    /// All files of an artifact; some are optional.
    pub const ALL: [Self; 5] = [Self::Block, Self::Index, Self::Catalog, Self::Comment, Self::Statement];

    /// Files that are reproducible from the same skills and recipe. The statement also names the commit.
    pub(crate) const REPRODUCED: [Self; 4] = [Self::Block, Self::Index, Self::Catalog, Self::Comment];

    /// Returns the file name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Block => BLOCK_FILE,
            Self::Index => "skills.json",
            Self::Catalog => "catalog.json",
            Self::Comment => "comment.md",
            Self::Statement => "statement.json",
        }
    }
}

/// Prompt artifact: the block that a dispatcher injects, and the files next to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Files in the order of [`Name::ALL`]. Files of that list that are not here must not exist.
    pub files: Vec<(Name, Vec<u8>)>,
    /// Selected and dropped skills.
    pub selected: Selected,
    /// Refused requests; if there are any, write nothing.
    pub refused: Vec<Refusal>,
}

impl Artifact {
    /// Returns the content of a file; `None` if the artifact does not include it.
    pub fn file(&self, name: Name) -> Option<&[u8]> {
        self.files.iter().find(|(other, _)| *other == name).map(|(_, content)| content.as_slice())
    }

    /// Returns the block: exactly the bytes to inject.
    pub fn block(&self) -> &[u8] {
        self.file(Name::Block).unwrap_or_default()
    }
}

/// Builds the artifact, with a catalog if its skills are described. It cannot fail, does no I/O, and returns the same bytes for
/// the same skills and recipe.
pub fn build(
    accepted: &Accepted<'_>,
    recipe: &Recipe,
    material: &Material,
    described: Option<&[Described]>,
) -> Artifact {
    let mut selected = choose(accepted, recipe, &material.contents);
    let mut block = try_render(accepted, recipe, &selected, &material.contents).unwrap_or_else(|refusal| {
        selected.refused.push(refusal);
        Block::default()
    });
    learned::append(&mut block, accepted.catalog, recipe);
    let skipped = if recipe.enabled { material::sorted_skipped(&material.skipped) } else { Vec::new() };
    let index = index::render(accepted.catalog, recipe, material, &selected, &block, &skipped);
    let mut files = vec![(Name::Block, block.text.into_bytes()), (Name::Index, index)];
    if let Some(described) = described {
        files.push((Name::Catalog, catalog::render(accepted, recipe, material, described, &skipped)));
    }
    // The comment lists only files of the repository: paths in a home directory are private.
    let reported: Vec<Skipped> =
        skipped.into_iter().filter(|skipped| is_committed(accepted.catalog, skipped)).collect();
    if !reported.is_empty() || !material.settings.is_empty() {
        files.push((Name::Comment, comment::render(&reported, &material.settings).into_bytes()));
    }
    files.push((Name::Statement, statement::render(accepted.catalog, recipe, material, &files)));
    let refused = std::mem::take(&mut selected.refused);
    Artifact { files, selected, refused }
}

/// Returns whether a skipped skill is in a root of the repository.
fn is_committed(catalog: &Catalog, skipped: &Skipped) -> bool {
    let is_its = |root: &Root| roots::is_within(skipped.path.as_bstr(), root.path.as_bstr());
    catalog.parsed.roots.iter().filter(|root| root.owner != Owner::Repository).all(|root| !is_its(root))
}

/// Returns the files whose contents [`build`] needs in [`Material::contents`]: those of the skills in the block, and
/// all candidates if the selection depends on bodies.
pub fn wanted(accepted: &Accepted<'_>, recipe: &Recipe) -> Vec<FileId> {
    let nothing = Contents::new();
    let skills = with_request(accepted, recipe, Some(&nothing), |request| match recipe.enabled {
        false => Vec::new(),
        true if recipe.selection.reads_bodies() => select::candidates(accepted, request),
        true if inlines(recipe) => select::wanted(accepted, request),
        true => select::select(accepted, request).skills,
    });
    skills.into_iter().map(|skill| accepted.catalog.skill(skill).file).collect()
}

/// Selects the skills of the block and reports those that do not fit; empty if the recipe disables the block. Pass the
/// contents of [`wanted`]; a block without bodies needs none.
pub fn choose(accepted: &Accepted<'_>, recipe: &Recipe, contents: &Contents) -> Selected {
    match recipe.enabled {
        true => with_request(accepted, recipe, Some(contents), |request| select::select(accepted, request)),
        false => Selected::default(),
    }
}

/// Selects all skills that a recipe chooses from, whether or not they fit into its rendering.
pub fn choose_listed(accepted: &Accepted<'_>, recipe: &Recipe) -> Selected {
    let listing = Recipe {
        rendering: Rendering::Agentskills,
        mentioned: Rendering::Agentskills,
        template: None,
        enabled: true,
        ..recipe.clone()
    };
    choose(accepted, &listing, &Contents::new())
}

/// Selects skills as [`choose`] does, but uses the body sizes from parsing.
pub fn choose_by_size(accepted: &Accepted<'_>, recipe: &Recipe) -> Selected {
    with_request(accepted, recipe, None, |request| select::select(accepted, request))
}

/// Runs a selection for a recipe. Without contents, body sizes from parsing are used.
fn with_request<T>(
    accepted: &Accepted<'_>,
    recipe: &Recipe,
    contents: Option<&Contents>,
    ask: impl FnOnce(&Request<'_>) -> T,
) -> T {
    let shape = shape(recipe);
    let catalog = accepted.catalog;
    let engine = recipe.template.as_ref().map(Template::engine);
    let macros = engine.as_ref().map(|engine| engine.parse().ok());
    let inlines = inlines(recipe);
    let by_size = contents.is_none() && inlines;
    let nothing = Contents::new();
    let contents = contents.unwrap_or(&nothing);
    let unread = |id: SkillId| inlines && !by_size && !contents.contains_key(&catalog.skill(id).file);
    ask(&Request {
        roots: &recipe.roots,
        depth: recipe.depth,
        skips: &|id| recipe.skips(catalog, id),
        merges_tools: recipe.merges_tools,
        by_directory: recipe.by_directory,
        reserved: &recipe.reserved,
        selection: &recipe.selection,
        limits: recipe.limits,
        budget: recipe.budget,
        each: recipe.each,
        body: &|id| {
            let skill = catalog.skill(id);
            contents.get(&skill.file).map(|content| body::read(skill, content).text).unwrap_or_default()
        },
        unfit: &|id, names| match unread(id) {
            true => Some((Reason::Unread, "its body could not be read".to_owned())),
            false => unfit(recipe, catalog, contents, id, names).map(|detail| (Reason::Wrapper, detail)),
        },
        growth: &|id, position| match &macros {
            // A template error is reported when the block is rendered.
            Some(macros) => {
                macros.as_ref().map(|macros| macros.growth(catalog, contents, id, position)).unwrap_or_default()
            }
            None if by_size => shape.growth(catalog, contents, id, position) + body_size(catalog.skill(id)),
            None => shape.growth(catalog, contents, id, position),
        },
    })
}

/// Returns why a skill cannot be in the block. What a template writes around a body is its own; only hidden characters matter.
fn unfit(recipe: &Recipe, catalog: &Catalog, contents: &Contents, id: SkillId, names: &Names) -> Option<String> {
    let shape = shape(recipe);
    if recipe.template.is_none() {
        return (shape.unfit)(&shape.entry(catalog, contents, id), names);
    }
    let skill = catalog.skill(id);
    let content = contents.get(&skill.file).filter(|_| inlines(recipe))?;
    body::read(skill, content).unfit(None, names, "")
}

/// Returns whether the block can contain bodies.
fn inlines(recipe: &Recipe) -> bool {
    recipe.template.as_ref().map_or(shape(recipe).inlines, Template::uses_bodies)
}

/// Returns the size of a body, as measured by the parser, which trims whitespace.
fn body_size(skill: &Skill) -> Size {
    let Some(body) = &skill.body else { return Size::default() };
    let bytes = body.inner.end.saturating_sub(body.inner.start) as usize;
    Size { bytes, chars: body.chars as usize + bytes.saturating_sub(body.bytes as usize) }
}

/// Renders the block of the selected skills; empty if there are none, so that a dispatcher injects nothing.
pub fn render(accepted: &Accepted<'_>, recipe: &Recipe, selected: &Selected, contents: &Contents) -> Block {
    try_render(accepted, recipe, selected, contents).unwrap_or_default()
}

/// Renders the block, or returns the error of the template.
fn try_render(
    accepted: &Accepted<'_>,
    recipe: &Recipe,
    selected: &Selected,
    contents: &Contents,
) -> Result<Block, Refusal> {
    match &recipe.template {
        Some(template) => template.assemble(accepted.catalog, contents, &selected.skills),
        None => Ok(shape(recipe).assemble(accepted.catalog, contents, &selected.skills)),
    }
}

/// Returns the shape of a block. A template renders from the index facts, so it uses the shape of the name list.
fn shape(recipe: &Recipe) -> &'static Shape {
    match recipe.template {
        Some(_) => &symphony::SHAPE,
        None => shape_of(recipe.rendering_of_selection()),
    }
}

fn shape_of(rendering: Rendering) -> &'static Shape {
    match rendering {
        Rendering::Symphony => &symphony::SHAPE,
        Rendering::Agentskills => &agentskills::SHAPE,
        Rendering::Messages => &messages::SHAPE,
        Rendering::Swarm => &swarm::SHAPE,
        Rendering::Amacs => &amacs::SHAPE,
        Rendering::Majordomo => &majordomo::SHAPE,
    }
}
