//! Keys of catalog.json, in order.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::word;
use crate::prompt::facts::SkillFacts;
use crate::prompt::index::{CapsUsed, Generator, Modes, ShadowedSkill, SkippedSkill, SourceUsed};
use crate::prompt::learned::LearnedFacts;
use crate::prompt::material::SourceError;
use crate::prompt::recipe::Recipe;

/// Name and version of the schema.
pub(super) const SCHEMA: &str = "skilltree/catalog/v1";

#[derive(Serialize)]
pub(super) struct File<'a> {
    pub(super) schema: &'static str,
    pub(super) generator: Generator,
    pub(super) disabled: bool,
    pub(super) source: SourceUsed,
    pub(super) recipe: RecipeOpen<'a>,
    pub(super) renderings: BTreeMap<&'static str, Around>,
    pub(super) skills: Vec<Entry<'a>>,
    pub(super) tag_index: Vec<Tag>,
    pub(super) role_index: BTreeMap<String, Vec<usize>>,
    pub(super) stop_words: &'static [&'static str],
    pub(super) threads: BTreeMap<String, Vec<String>>,
    pub(super) knowledge: Option<LearnedFacts>,
    pub(super) shadowed: Vec<ShadowedSkill>,
    pub(super) skipped: Vec<SkippedSkill>,
    pub(super) errors: Vec<SourceError>,
    pub(super) unlisted: Vec<Unlisted>,
    pub(super) modes: Modes,
}

/// A recipe before a selection.
#[derive(Serialize)]
pub(super) struct RecipeOpen<'a> {
    profile: &'a str,
    rendering: Option<&'static str>,
    mentioned: Option<&'static str>,
    top: Option<usize>,
    identity: &'static str,
    requires_role: bool,
    merges_tools: bool,
    reserved: &'a [String],
    budget: CapsUsed,
    each: CapsUsed,
    limits: CapsUsed,
}

impl<'a> RecipeOpen<'a> {
    pub(super) fn new(recipe: &'a Recipe) -> Self {
        let rendering = |rendering| Some(word(rendering)).filter(|_| recipe.template.is_none());
        Self {
            profile: &recipe.profile,
            rendering: rendering(recipe.rendering),
            mentioned: rendering(recipe.mentioned),
            top: recipe.top,
            identity: if recipe.by_directory { "directory" } else { "name" },
            requires_role: recipe.requires_role,
            merges_tools: recipe.merges_tools,
            reserved: &recipe.reserved,
            budget: CapsUsed::new(&recipe.budget),
            each: CapsUsed::new(&recipe.each),
            limits: CapsUsed::new(&recipe.limits),
        }
    }
}

/// Text of a rendering around its skills.
#[derive(Serialize)]
pub(super) struct Around {
    pub(super) head: &'static str,
    pub(super) tail: &'static str,
    pub(super) separator: &'static str,
    pub(super) between: &'static str,
    pub(super) openings: Option<Vec<String>>,
    pub(super) body: &'static str,
}

#[derive(Serialize)]
pub(super) struct Entry<'a> {
    #[serde(flatten)]
    pub(super) facts: &'a SkillFacts,
    pub(super) directory: String,
    pub(super) root: Option<usize>,
    pub(super) front_matter: Value,
    pub(super) fragments: BTreeMap<&'static str, FragmentParts<'a>>,
}

#[derive(Serialize)]
pub(super) struct FragmentParts<'a> {
    pub(super) before: &'a str,
    pub(super) after: &'a str,
    pub(super) dropped: Option<&'a str>,
    pub(super) claims: Vec<usize>,
}

#[derive(Serialize)]
pub(super) struct Tag {
    pub(super) tag: String,
    pub(super) words: Vec<String>,
    pub(super) skills: Vec<usize>,
}

#[derive(Serialize)]
pub(super) struct Unlisted {
    pub(super) name: String,
    pub(super) body_path: String,
    pub(super) reason: &'static str,
}
