//! statement.json: what was made, from what, and how, as an in-toto Statement v1
//! (https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md), so that whoever signs and verifies artifacts
//! can do so with a prompt. Its schema is schema/prompt-statement.json.
//!
//! It names the commit, so it differs where the bytes of the artifact are the same: nothing compares it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Name;
use super::index::{Generator, RecipeUsed, Source, recipe_used, sha256, source};
use super::material::Material;
use super::recipe::Recipe;
use crate::catalog::Catalog;
use crate::characters::visible;
use crate::snapshot::{ObjectId, Origin};

/// What in-toto calls a statement of this version.
const TYPE: &str = "https://in-toto.io/Statement/v1";

/// What our predicates are: a name, which leads to their description.
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

/// A file, and the digest of its bytes.
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

/// Where the skills come from: a state of a repository, its roots and its configuration.
#[derive(Serialize)]
struct From {
    state: &'static str,
    revision: Option<String>,
    digest: BTreeMap<&'static str, String>,
    #[serde(flatten)]
    files: Source,
}

/// The statement about files, with two spaces of indentation and a final newline.
pub(super) fn render(catalog: &Catalog, recipe: &Recipe, material: &Material, files: &[(Name, Vec<u8>)]) -> Vec<u8> {
    let subject = |(name, content): &(Name, Vec<u8>)| Subject {
        name: name.as_str(),
        digest: BTreeMap::from([("sha256", sha256(content))]),
    };
    let (state, revision, commit) = state(&catalog.parsed.origin);
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
                files: source(catalog, recipe, material),
            },
            recipe: recipe_used(recipe),
        },
    };
    let mut bytes = serde_json::to_vec_pretty(&statement).expect("texts, numbers and maps with text keys are JSON");
    bytes.push(b'\n');
    bytes
}

/// Which state of what the skills were read from: in a word, as it was asked for, and its commit where it has one.
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
