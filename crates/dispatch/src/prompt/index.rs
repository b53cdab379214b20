//! skills.json: machine-readable index of a block. Its schema is schema/prompt-index.json.
//!
//! Keys are in the order of the fields below. It contains no time, absolute path or commit, so the same skills and
//! recipe give the same bytes everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::ByteSlice;

use super::Name;
use super::block::Block;
use super::facts::{SkillFacts, name, sha256};
use super::line::{one_line, path};
use super::material::{Material, Skipped, SourceError};
use super::recipe::Recipe;
use crate::select::{self, Reason, Selected, Selection};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::characters::visible;
use skilltree_skills::json;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, File, ObjectId, Role};

mod keys;

pub use keys::is_index;
use keys::*;

pub(super) use keys::{
    CapsUsed, ConfigBlob, Generator, Modes, RecipeUsed, RootTree, ShadowedSkill, SkippedSkill, SourceUsed,
};

/// Renders the index of a block as JSON with an indentation of two spaces and a final newline.
pub(super) fn render(
    catalog: &Catalog,
    recipe: &Recipe,
    material: &Material,
    selected: &Selected,
    block: &Block,
    skipped: &[Skipped],
) -> Vec<u8> {
    let listed = |(id, range): &(SkillId, Range<usize>)| Listed {
        skill: SkillFacts::new(catalog, *id, &material.contents),
        fragment: ByteRange::from(range),
        body_range: block.bodies.get(id).map(ByteRange::from),
    };
    let skills: Vec<Listed> = block.fragments.iter().map(listed).collect();
    let head = head(catalog, recipe, material, selected, skipped);
    let index = Index {
        schema: SCHEMA,
        generator: head.generator,
        disabled: head.disabled,
        source: head.source,
        recipe: recipe_used(recipe),
        block: block_facts(block),
        learned: lessons(catalog, block),
        dropped: selected
            .dropped
            .iter()
            .filter(|dropped| dropped.reason != Reason::Unread)
            .map(|dropped| dropped_skill(catalog, dropped))
            .collect(),
        shadowed: head.shadowed,
        skipped: head.skipped,
        errors: head.errors,
        tag_index: tag_index(skills.iter().map(|listed| &listed.skill)),
        modes: head.modes,
        skills,
    };
    let mut bytes = Vec::new();
    json::write_pretty(&index, &mut bytes).expect("texts, numbers and maps with text keys are JSON");
    bytes
}

/// The members that the index of a block and the catalog share.
pub(super) struct Head {
    pub(super) generator: Generator,
    pub(super) disabled: bool,
    pub(super) source: SourceUsed,
    pub(super) shadowed: Vec<ShadowedSkill>,
    pub(super) skipped: Vec<SkippedSkill>,
    pub(super) errors: Vec<SourceError>,
    pub(super) modes: Modes,
}

pub(super) fn head(
    catalog: &Catalog,
    recipe: &Recipe,
    material: &Material,
    selected: &Selected,
    skipped: &[Skipped],
) -> Head {
    Head {
        generator: Generator::this(),
        disabled: !recipe.enabled,
        source: source(catalog, recipe, material),
        shadowed: selected.shadowed.iter().map(|shadowed| shadowed_skill(catalog, *shadowed)).collect(),
        skipped: skipped.iter().map(skipped_skill).collect(),
        errors: errors(catalog, material, selected),
        modes: Modes { roles: recipe.modes.clone() },
    }
}

/// Returns the roots of a recipe that exist, in order.
pub(super) fn existing_roots(catalog: &Catalog, recipe: &Recipe) -> Vec<RootId> {
    let is_absent = |file: &&File| file.role == Role::Root && file.body == Body::Absent;
    let absent: BTreeSet<RootId> = catalog.parsed.files.iter().filter(is_absent).filter_map(|file| file.root).collect();
    recipe.roots.iter().copied().filter(|root| !absent.contains(root)).collect()
}

/// Returns the source of the skills: existing roots and the configuration.
pub(super) fn source(catalog: &Catalog, recipe: &Recipe, material: &Material) -> SourceUsed {
    let hex = |id: &ObjectId| id.to_string();
    let roots = existing_roots(catalog, recipe).into_iter().map(|root| RootTree {
        path: path(catalog.root(root).path.as_bstr()),
        tree: material.trees.get(root.index()).and_then(Option::as_ref).map(hex),
    });
    let config = material.config.iter();
    let config = config.map(|(file, id)| ConfigBlob { path: path(file.as_bstr()), blob: id.as_ref().map(hex) });
    SourceUsed { digest: material.digest.clone(), roots: roots.collect(), config: config.collect() }
}

pub(super) fn recipe_used(recipe: &Recipe) -> RecipeUsed<'_> {
    RecipeUsed {
        profile: &recipe.profile,
        options: &recipe.options,
        template: recipe
            .template
            .as_ref()
            .map(|template| TemplateUsed { path: one_line(&template.path), sha256: sha256(template.text.as_bytes()) }),
        selection: match &recipe.selection {
            Selection::All => SelectionUsed::All,
            Selection::Task(task) => {
                let (id, role) = (task.id.as_deref(), task.role.as_deref());
                SelectionUsed::Task { task: &task.text, task_id: id, role, top: task.top }
            }
            Selection::Mentioned(text) => SelectionUsed::Mention { text },
            Selection::Named(names) => SelectionUsed::Name { names },
            Selection::Bound { thread, names } => SelectionUsed::Thread { thread, names },
        },
        matcher: match &recipe.selection {
            Selection::Task(task) => Some(task.matcher.word()),
            _ => None,
        },
        budget: CapsUsed::new(&recipe.budget),
        each: CapsUsed::new(&recipe.each),
        limits: CapsUsed::new(&recipe.limits),
    }
}

fn block_facts(block: &Block) -> BlockFacts {
    let size = block.size();
    BlockFacts {
        path: Name::Block.as_str(),
        sha256: sha256(block.text.as_bytes()),
        bytes: size.bytes,
        chars: size.chars,
        tokens: text::tokens(size.chars),
    }
}

/// Knowledge entries in the block.
fn lessons(catalog: &Catalog, block: &Block) -> Vec<Lesson> {
    let entries = catalog.parsed.records.knowledge.iter().flat_map(|knowledge| &knowledge.entries);
    let entries: Vec<_> = entries.collect();
    let lesson = |&number: &usize| {
        let entry = entries.get(number)?;
        Some(Lesson {
            content: one_line(&entry.content.value),
            category: one_line(&entry.category.value),
            contributor: one_line(&entry.contributor.value),
            content_hash: entry.hash(),
            line: entry.line,
        })
    };
    block.learned.iter().filter_map(lesson).collect()
}

fn dropped_skill(catalog: &Catalog, dropped: &select::Dropped) -> DroppedSkill {
    DroppedSkill {
        name: name(catalog.skill(dropped.skill)),
        body_path: path(catalog.path(dropped.skill)),
        reason: dropped.reason.word(),
        detail: dropped.detail.clone(),
    }
}

fn shadowed_skill(catalog: &Catalog, shadowed: select::Shadowed) -> ShadowedSkill {
    ShadowedSkill {
        name: name(catalog.skill(shadowed.skill)),
        body_path: path(catalog.path(shadowed.skill)),
        by: path(catalog.path(shadowed.by)),
    }
}

fn skipped_skill(skipped: &Skipped) -> SkippedSkill {
    let problems = skipped.problems.iter().map(|problem| ProblemFound {
        rule: problem.rule.clone(),
        message: visible(&problem.message).into_owned(),
        line: problem.line,
        column: problem.column,
    });
    SkippedSkill { body_path: path(skipped.path.as_bstr()), problems: problems.collect() }
}

/// Read errors of the caller, and files of the block whose contents are missing.
fn errors(catalog: &Catalog, material: &Material, selected: &Selected) -> Vec<SourceError> {
    let given = material.errors.iter().map(|error| SourceError {
        source: visible(&error.source).into_owned(),
        message: visible(&error.message).into_owned(),
    });
    let dropped = selected.dropped.iter().filter(|dropped| dropped.reason == Reason::Unread);
    let unread = selected.skills.iter().copied().filter(|&id| !material.contents.contains_key(&catalog.skill(id).file));
    let lost = dropped.map(|dropped| dropped.skill).chain(unread).map(|id| SourceError {
        source: path(catalog.path(id)),
        message: "the file could not be read again".to_owned(),
    });
    let missing = selected.missing.iter().map(|name| SourceError {
        source: one_line(name),
        message: "the thread binds this name, but no accepted skill has it".to_owned(),
    });
    let mut errors: Vec<SourceError> = given.chain(lost).chain(missing).collect();
    errors.sort_by(|a, b| (&a.source, &a.message).cmp(&(&b.source, &b.message)));
    errors
}

fn tag_index<'a>(skills: impl Iterator<Item = &'a SkillFacts>) -> BTreeMap<String, Vec<String>> {
    let mut tags: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for skill in skills {
        for tag in &skill.tags {
            let names = tags.entry(tag.clone()).or_default();
            if names.last() != Some(&skill.name) {
                names.push(skill.name.clone());
            }
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::{BOTH, catalog};

    #[test]
    fn omits_absent_roots() {
        let mut catalog = catalog(BOTH, &[]);
        let recipe = Recipe::everywhere(&catalog.parsed.roots);
        assert_eq!(existing_roots(&catalog, &recipe), [RootId(0), RootId(1)]);
        let file = |role, root, body| File::new("x", role, Some(RootId(root)), body);
        catalog.parsed.files.push(file(Role::Other, 0, Body::Absent));
        catalog.parsed.files.push(file(Role::Root, 0, Body::Special));
        catalog.parsed.files.push(file(Role::Root, 1, Body::Absent));
        assert_eq!(existing_roots(&catalog, &recipe), [RootId(0)]);
    }
}
