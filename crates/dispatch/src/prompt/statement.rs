//! statement.json: provenance of the artifact as an in-toto Statement v1
//! (<https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md>), for tools that sign and verify artifacts.
//! Its schema is schema/prompt-statement.json.
//!
//! It names the commit, so it may differ for identical artifacts, and `prompt --verify` does not compare it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Name;
use super::facts::sha256;
use super::index::{ConfigBlob, Generator, RecipeUsed, RootTree, SourceUsed, recipe_used, source};
use super::material::Material;
use super::recipe::Recipe;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::characters::visible;
use skilltree_skills::snapshot::{ObjectId, Origin};

/// Type of in-toto statements, version 1.
const TYPE: &str = "https://in-toto.io/Statement/v1";

/// Predicate type: a URL of its description.
const PREDICATE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/attestation.md#v1");

#[derive(Serialize)]
struct Statement<'a> {
    #[serde(rename = "_type")]
    kind: &'static str,
    subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    predicate_type: &'static str,
    predicate: Predicate<'a>,
}

/// File with the digest of its bytes.
#[derive(Serialize)]
struct Subject {
    name: &'static str,
    digest: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct Predicate<'a> {
    generator: Generator,
    source: From,
    recipe: RecipeUsed<'a>,
}

/// Source of the skills: repository state, roots and configuration.
#[derive(Serialize)]
struct From {
    state: &'static str,
    revision: Option<String>,
    digest: BTreeMap<&'static str, String>,
    roots: Vec<RootTree>,
    config: Vec<ConfigBlob>,
}

/// Renders the statement about files as JSON with an indentation of two spaces and a final newline.
pub(super) fn render(catalog: &Catalog, recipe: &Recipe, material: &Material, files: &[(Name, Vec<u8>)]) -> Vec<u8> {
    let subject = |(name, content): &(Name, Vec<u8>)| Subject {
        name: name.as_str(),
        digest: BTreeMap::from([("sha256", sha256(content))]),
    };
    let (state, revision, commit) = state(&catalog.parsed.origin);
    let SourceUsed { roots, config, .. } = source(catalog, recipe, material);
    let statement = Statement {
        kind: TYPE,
        subject: files.iter().map(subject).collect(),
        predicate_type: PREDICATE,
        predicate: Predicate {
            generator: Generator::this(),
            source: From {
                state,
                revision,
                digest: commit.into_iter().map(|commit| ("gitCommit", commit.to_string())).collect(),
                roots,
                config,
            },
            recipe: recipe_used(recipe),
        },
    };
    let mut bytes = serde_json::to_vec_pretty(&statement).expect("texts, numbers and maps with text keys are JSON");
    bytes.push(b'\n');
    bytes
}

/// Returns the kind of the source, the revision as requested, and the commit if there is one.
fn state(origin: &Origin) -> (&'static str, Option<String>, Option<ObjectId>) {
    match origin {
        Origin::Index => ("index", None, None),
        Origin::Tree { revision, commit } => ("tree", Some(visible(revision).into_owned()), *commit),
        Origin::WorkTree => ("work-tree", None, None),
        Origin::Directory => ("directory", None, None),
        Origin::StandardInput => ("standard-input", None, None),
        Origin::Memory => ("memory", None, None),
    }
}
