//! catalog.json: everything that a dispatcher needs to select skills when a task comes up, without this program. Its schema is
//! schema/catalog.json.
//!
//! A catalog is a recipe without its selection: a selection from it gives the same bytes as a run with that selection.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;
use serde_json::Value;

use super::facts::{SkillFacts, name};
use super::index;
use super::learned;
use super::line::{one_line, path};
use super::material::{Contents, Material, Skipped};
use super::recipe::Recipe;
use crate::accept::Accepted;
use crate::select::{self, Names, Request, Selected, Selection};
use skilltree_front_matter::{Node, NodeKind, ScalarKind};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Rendering;
use skilltree_skills::parallel;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Skill, SkillId};

mod fragment;
mod keys;
mod lines;

use fragment::{Parts, parts};
use keys::{Around, Entry, File, FragmentParts, RecipeOpen, Tag, Unlisted};

/// A skill of a catalog, described while its content was at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    skill: SkillId,
    facts: SkillFacts,
    fragments: BTreeMap<&'static str, Parts>,
}

/// Describes skills whose contents are given; a skill without content is missing. Call it for a few hundred skills at a time, so
/// that not all contents are in memory. `names` are those of all skills of the catalog.
pub fn describe(
    catalog: &Catalog,
    recipe: &Recipe,
    skills: &[SkillId],
    names: &Names,
    contents: &Contents,
    has_bodies: bool,
) -> Vec<Described> {
    let renderings = renderings(recipe);
    let described = parallel::map(skills, |&id| {
        let content = contents.get(&catalog.skill(id).file)?;
        let mut facts = SkillFacts::new(catalog, id, contents);
        if has_bodies {
            facts.embed(content);
        }
        let part = |&rendering| (word(rendering), parts(super::shape_of(rendering), catalog, contents, names, id));
        let fragments = renderings.iter().map(part).collect();
        Some(Described { skill: id, facts, fragments })
    });
    described.into_iter().flatten().collect()
}

/// Returns the skills of a catalog: those that some selection of the recipe can select, bytewise by name, then by path.
pub fn selectable(accepted: &Accepted<'_>, recipe: &Recipe) -> Vec<SkillId> {
    of_all(accepted, recipe, select::wanted)
}

/// Returns what a recipe that selects all skills makes of them; nothing if it is disabled.
fn of_all<T>(accepted: &Accepted<'_>, recipe: &Recipe, what: fn(&Accepted<'_>, &Request<'_>) -> Vec<T>) -> Vec<T> {
    if !recipe.enabled {
        return Vec::new();
    }
    let every = Recipe { selection: Selection::All, ..recipe.clone() };
    super::with_request(accepted, &every, Some(&Contents::new()), |request| what(accepted, request))
}

/// Renders a catalog as JSON: one member per line, and one skill per line.
pub(super) fn render(
    accepted: &Accepted<'_>,
    recipe: &Recipe,
    material: &Material,
    described: &[Described],
    skipped: &[Skipped],
) -> Vec<u8> {
    let catalog = accepted.catalog;
    let roots = index::existing_roots(catalog, recipe);
    let selected = Selected { shadowed: of_all(accepted, recipe, select::shadowed), ..Selected::default() };
    let mut numbers: BTreeMap<Cow<'_, str>, Vec<usize>> = BTreeMap::new();
    for (number, described) in described.iter().enumerate() {
        numbers.entry(recipe.known_as(catalog.skill(described.skill))).or_default().push(number);
    }
    let entry = |described| entry(catalog, &roots, &numbers, described);
    let skills: Vec<Entry<'_>> = described.iter().map(entry).collect();
    let listed: BTreeSet<SkillId> = described.iter().map(|described| described.skill).collect();
    let head = index::head(catalog, recipe, material, &selected, skipped);
    let file = File {
        schema: keys::SCHEMA,
        generator: head.generator,
        disabled: head.disabled,
        source: head.source,
        recipe: RecipeOpen::new(recipe),
        renderings: renderings(recipe).into_iter().map(|one| (word(one), around(catalog, &roots, one))).collect(),
        tag_index: tag_index(catalog, described),
        role_index: role_index(described),
        stop_words: select::stop_words(),
        threads: threads(catalog),
        knowledge: learned::facts(catalog, recipe),
        shadowed: head.shadowed,
        skipped: head.skipped,
        errors: head.errors,
        unlisted: unlisted(accepted, recipe, &listed, &selected),
        modes: head.modes,
        skills,
    };
    lines::to_vec(&file)
}

/// Returns the renderings that the options of a recipe lead to: of a block, of mentioned skills, and of messages.
fn renderings(recipe: &Recipe) -> Vec<Rendering> {
    let of_profile = [recipe.rendering, recipe.mentioned].into_iter().filter(|_| recipe.template.is_none());
    let mut renderings = Vec::new();
    for rendering in of_profile.chain([Rendering::Messages]) {
        if !renderings.contains(&rendering) {
            renderings.push(rendering);
        }
    }
    renderings
}

/// Returns the word for a rendering, as a profile writes it.
pub(super) fn word(rendering: Rendering) -> &'static str {
    super::shape_of(rendering).name
}

/// Returns the text of a rendering around its skills.
fn around(catalog: &Catalog, roots: &[RootId], rendering: Rendering) -> Around {
    let shape = super::shape_of(rendering);
    let opening = |sections: &super::block::Sections| {
        roots.iter().map(|&root| (sections.opening)(catalog, root)).collect::<Vec<_>>()
    };
    Around {
        head: shape.head,
        tail: shape.tail,
        separator: shape.separator,
        between: shape.sections.as_ref().map_or("", |sections| sections.between),
        openings: shape.sections.as_ref().map(opening),
        body: match (shape.inlines, rendering) {
            (false, _) => "none",
            (true, Rendering::Messages) => "json",
            (true, _) => "text",
        },
    }
}

fn entry<'a>(
    catalog: &Catalog,
    roots: &[RootId],
    numbers: &BTreeMap<Cow<'_, str>, Vec<usize>>,
    described: &'a Described,
) -> Entry<'a> {
    let claims = |name: &String| numbers.get(name.as_str()).cloned().unwrap_or_default();
    let fragment = |(&rendering, parts): (&&'static str, &'a Parts)| {
        let fragment = FragmentParts {
            before: &parts.before,
            after: &parts.after,
            dropped: parts.dropped.as_deref(),
            claims: parts.claims.iter().flat_map(claims).collect(),
        };
        (rendering, fragment)
    };
    let skill = catalog.skill(described.skill);
    Entry {
        facts: &described.facts,
        directory: path(skill.directory.as_bstr()),
        root: roots.iter().position(|&root| root == skill.root),
        front_matter: front_matter(skill),
        fragments: described.fragments.iter().map(fragment).collect(),
    }
}

/// Returns the front matter as JSON.
fn front_matter(skill: &Skill) -> Value {
    Value::Object(skill.fields().map(|field| (field.key.value.clone(), value(&field.value))).collect())
}

fn value(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => Value::Null,
        NodeKind::Scalar { text, .. } => Value::String(text.clone()),
        NodeKind::List(items) => Value::Array(items.iter().map(value).collect()),
        NodeKind::Map(fields) => {
            Value::Object(fields.iter().map(|field| (field.key.value.clone(), value(&field.value))).collect())
        }
    }
}

/// Lists the skills of each tag, once per occurrence, with the words that a task must have.
fn tag_index(catalog: &Catalog, described: &[Described]) -> Vec<Tag> {
    let mut tags: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, described) in described.iter().enumerate() {
        for tag in catalog.skill(described.skill).words("tags") {
            tags.entry(tag).or_default().push(number);
        }
    }
    let tag = |(tag, skills)| Tag { tag: one_line(tag), words: select::words_of(tag), skills };
    tags.into_iter().map(tag).collect()
}

fn role_index(described: &[Described]) -> BTreeMap<String, Vec<usize>> {
    let mut roles: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, described) in described.iter().enumerate() {
        for role in &described.facts.roles {
            let skills = roles.entry(role.to_ascii_lowercase()).or_default();
            if skills.last() != Some(&number) {
                skills.push(number);
            }
        }
    }
    roles
}

fn threads(catalog: &Catalog) -> BTreeMap<String, Vec<String>> {
    let threads = catalog.parsed.records.threads.iter().flat_map(|threads| &threads.threads);
    threads
        .map(|thread| (thread.id.value.clone(), thread.bound.iter().map(|name| name.value.clone()).collect()))
        .collect()
}

/// Lists the accepted skills that no selection of the recipe can select.
fn unlisted(
    accepted: &Accepted<'_>,
    recipe: &Recipe,
    listed: &BTreeSet<SkillId>,
    selected: &Selected,
) -> Vec<Unlisted> {
    let catalog = accepted.catalog;
    let is_told = |id: SkillId| listed.contains(&id) || selected.shadowed.iter().any(|shadowed| shadowed.skill == id);
    let reason = |id: SkillId, skill: &Skill| {
        let is_deeper = recipe.depth.is_some_and(|depth| skill.depth > depth);
        match () {
            () if recipe.is_reserved(skill) => Some("reserved"),
            () if is_deeper => Some("depth"),
            () if recipe.skips(catalog, id) => Some("path"),
            () => None,
        }
    };
    let of_recipe = accepted.iter().filter(|(id, skill)| recipe.roots.contains(&skill.root) && !is_told(*id));
    let unlisted = of_recipe.filter_map(|(id, skill)| {
        Some(Unlisted { name: name(skill), body_path: path(catalog.path(id)), reason: reason(id, skill)? })
    });
    if recipe.enabled { unlisted.collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::catalog;

    #[test]
    fn unlisted_skills_have_their_reason() {
        let root = [(".agent/skills", "agentskills", None)];
        let skills: [(&str, &[(&str, &str)]); 5] = [
            (".agent/skills/.old/a/SKILL.md", &[("name", "a")]),
            (".agent/skills/b/SKILL.md", &[("name", "b")]),
            (".agent/skills/group/c/SKILL.md", &[("name", "c")]),
            (".agent/skills/group/of/d/SKILL.md", &[("name", "d")]),
            (".agent/skills/group/of/e/SKILL.md", &[("name", "e")]),
        ];
        let catalog = catalog(&root, &skills);
        let accepted = Accepted::new(&catalog, &[false; 5]);
        let recipe = Recipe {
            reserved: vec!["e".to_owned()],
            depth: Some(2),
            skips_hidden: true,
            ..Recipe::everywhere(&catalog.parsed.roots)
        };
        let of = |recipe: &Recipe, listed: &[&str]| -> Vec<(String, &str)> {
            let listed = catalog.skills().filter(|(_, skill)| listed.contains(&&*name(skill))).map(|(id, _)| id);
            let unlisted = unlisted(&accepted, recipe, &listed.collect(), &Selected::default());
            unlisted.into_iter().map(|unlisted| (unlisted.name, unlisted.reason)).collect()
        };
        let reasons = [("a", "path"), ("d", "depth"), ("e", "reserved")].map(|(name, why)| (name.to_owned(), why));
        assert_eq!(of(&recipe, &[]), reasons);
        assert_eq!(of(&recipe, &["a"]), reasons[1..]);
        assert_eq!(of(&Recipe { roots: Vec::new(), ..recipe.clone() }, &[]), []);
        assert_eq!(of(&Recipe { enabled: false, ..recipe }, &[]), []);
    }
}
