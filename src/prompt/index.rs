//! skills.json: the index of a block, for machines. Its schema is schema/prompt-index.json.
//!
//! The order of the keys is the order of the fields below. There is no time, no absolute path and no commit in it:
//! the same skills and the same recipe give the same bytes wherever they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::ByteSlice;
use sha2::{Digest, Sha256};

use super::Name;
use super::block::Block;
use super::line::{one_line, path};
use super::material::{Contents, Material, Skipped};
use super::recipe::Recipe;
use crate::catalog::Catalog;
use crate::characters::visible;
use crate::front_matter::NodeKind;
use crate::roots::RootId;
use crate::select::{self, Caps, Reason, Selected, Selection};
use crate::skill::{Skill, SkillId};
use crate::snapshot::{Body, File, ObjectId, Role};
use crate::text;

mod keys;

pub use keys::is_index;
use keys::*;

pub(super) use keys::{Generator, RecipeUsed, Source};

/// The index of a block, with two spaces of indentation and a final newline.
pub(super) fn render(
    catalog: &Catalog,
    recipe: &Recipe,
    material: &Material,
    selected: &Selected,
    block: &Block,
    skipped: &[Skipped],
) -> Vec<u8> {
    let skills: Vec<Listed> =
        block.fragments.iter().map(|(id, range)| listed(catalog, *id, &material.contents, range.clone())).collect();
    let index = Index {
        schema: SCHEMA,
        generator: Generator::this(),
        disabled: !recipe.enabled,
        source: source(catalog, recipe, material),
        recipe: recipe_used(recipe),
        block: block_facts(block),
        learned: lessons(catalog, block),
        dropped: selected
            .dropped
            .iter()
            .filter(|dropped| dropped.reason != Reason::Unread)
            .map(|dropped| dropped_skill(catalog, dropped))
            .collect(),
        shadowed: selected.shadowed.iter().map(|shadowed| shadowed_skill(catalog, *shadowed)).collect(),
        skipped: skipped.iter().map(skipped_skill).collect(),
        errors: errors(catalog, material, selected),
        tag_index: tag_index(&skills),
        modes: Modes { cli: recipe.modes.iter().map(|(role, hint)| (one_line(role), one_line(hint))).collect() },
        skills,
    };
    let mut bytes = serde_json::to_vec_pretty(&index).expect("texts, numbers and maps with text keys are JSON");
    bytes.push(b'\n');
    bytes
}

/// Where the skills come from: the roots that exist, and the configuration.
pub(super) fn source(catalog: &Catalog, recipe: &Recipe, material: &Material) -> Source {
    let hex = |id: &ObjectId| id.to_string();
    let is_absent = |file: &&File| file.role == Role::Root && file.body == Body::Absent;
    let absent: BTreeSet<RootId> = catalog.parsed.files.iter().filter(is_absent).filter_map(|file| file.root).collect();
    let roots = recipe.roots.iter().filter(|&root| !absent.contains(root)).map(|root| RootTree {
        path: path(catalog.root(*root).path.as_bstr()),
        tree: material.trees.get(root.index()).and_then(Option::as_ref).map(hex),
    });
    let config = material.config.iter();
    let config = config.map(|(file, id)| ConfigBlob { path: path(file.as_bstr()), blob: id.as_ref().map(hex) });
    Source { roots: roots.collect(), config: config.collect() }
}

pub(super) fn recipe_used(recipe: &Recipe) -> RecipeUsed<'_> {
    let caps =
        |caps: &Caps| CapsUsed { skills: caps.skills, bytes: caps.bytes, chars: caps.chars, tokens: caps.tokens };
    RecipeUsed {
        profile: &recipe.profile,
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
        budget: caps(&recipe.budget),
        each: caps(&recipe.each),
        limits: caps(&recipe.limits),
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

pub(super) fn listed(catalog: &Catalog, id: SkillId, contents: &Contents, fragment: Range<usize>) -> Listed {
    let skill = catalog.skill(id);
    let value = |key: &str| skill.scalar(key).map(one_line);
    let body = skill.body.clone().unwrap_or_default();
    Listed {
        name: name(skill),
        description: value("description").unwrap_or_default(),
        when_to_use: value("when_to_use"),
        short_description: short_description(skill),
        tags: words(skill, "tags"),
        roles: words(skill, "roles"),
        scope: value("scope"),
        tools: words(skill, "tools"),
        body_path: path(catalog.path(id)),
        blob: catalog.file(skill.file).id.map(|id| id.to_string()),
        sha256: contents.get(&skill.file).map(|content| sha256(content)),
        body: BodySize { lines: body.lines, chars: body.chars, tokens: text::tokens(body.chars as usize) },
        fragment: Fragment { start: fragment.start, end: fragment.end },
    }
}

/// What agents learned that is in the block.
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

/// What the caller could not read, and the files of the block whose contents it did not hand over.
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
        message: "no accepted skill has the name that the thread binds".to_owned(),
    });
    let mut errors: Vec<SourceError> = given.chain(lost).chain(missing).collect();
    errors.sort_by(|a, b| (&a.source, &a.message).cmp(&(&b.source, &b.message)));
    errors
}

fn tag_index(skills: &[Listed]) -> BTreeMap<String, Vec<String>> {
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

fn name(skill: &Skill) -> String {
    one_line(&select::name(skill))
}

fn short_description(skill: &Skill) -> Option<String> {
    let NodeKind::Map(fields) = &skill.field("metadata")?.value.kind else { return None };
    let value = fields.iter().find(|field| field.key.value == "short-description")?.value.scalar()?;
    Some(one_line(value)).filter(|line| !line.is_empty())
}

fn words(skill: &Skill, key: &str) -> Vec<String> {
    skill.words(key).into_iter().map(one_line).collect()
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
