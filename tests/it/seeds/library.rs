//! Artifacts created in memory, without the rules: renderings must be safe without them.

use bstr::ByteSlice;
use serde_json::Value;
use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Artifact, Material, Name, Recipe};
use skilltree_dispatch::select::Caps;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::{Profiles, Rendering};
use skilltree_skills::limits::Limits;
use skilltree_skills::roots::{RootPattern, RootSet};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry};

/// The renderings, by their names in the tables.
pub(crate) const RENDERINGS: [(&str, Rendering); 6] = [
    ("symphony", Rendering::Symphony),
    ("agentskills", Rendering::Agentskills),
    ("messages", Rendering::Messages),
    ("swarm", Rendering::Swarm),
    ("amacs", Rendering::Amacs),
    ("majordomo", Rendering::Majordomo),
];

/// The root of every skill below.
pub(crate) const ROOT: &str = ".agent/skills";

/// A skill: the name of its directory, and its text.
pub(crate) type Sample = (String, String);

/// A text of YAML that is read as exactly this value.
pub(crate) fn quoted(value: &str) -> String {
    let mut text = String::from('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            ' '..='~' => text.push(character),
            other => text.push_str(&format!("\\U{:08x}", u32::from(other))),
        }
    }
    text + "\""
}

pub(crate) fn catalog(samples: &[Sample]) -> Catalog {
    let file = |(directory, text): &Sample| {
        let path = format!("{ROOT}/{directory}/SKILL.md").into();
        Entry { path, content: Content::File(text.as_bytes().to_vec()) }
    };
    let patterns = vec![RootPattern::configured(ROOT, "agentskills")];
    let roots = RootSet { patterns, depth: 20, files: 100_000, file_bytes: 1 << 20, ..RootSet::default() };
    let source = source::memory(Origin::Memory, samples.iter().map(file).collect());
    Catalog::new(source.read(&roots, Limits::default().bounds()).expect("files in memory can be read"))
}

/// The artifact of all of some skills, each accepted, with no limit to their size.
pub(crate) fn artifact(samples: &[Sample], rendering: Rendering, change: impl Fn(Recipe) -> Recipe) -> Artifact {
    let catalog = catalog(samples);
    let rejected = vec![false; samples.len()];
    let accepted = Accepted::new(&catalog, &rejected);
    let profiles = Profiles::default();
    let recipe = Recipe::of(profiles.find("majordomo").unwrap(), &catalog.parsed.roots).unwrap();
    let recipe = change(Recipe { rendering, limits: Caps::default(), merges_tools: false, ..recipe });
    let mut material = Material::default();
    for file in prompt::wanted(&accepted, &recipe) {
        let path = catalog.file(file).path.to_str().unwrap();
        let is_it = |(directory, _): &&Sample| path == format!("{ROOT}/{directory}/SKILL.md");
        material.contents.insert(file, samples.iter().find(is_it).unwrap().1.as_bytes().to_vec());
    }
    prompt::build(&accepted, &recipe, &material, None)
}

pub(crate) fn block(artifact: &Artifact) -> &str {
    artifact.block().to_str().unwrap()
}

pub(crate) fn index(artifact: &Artifact) -> Value {
    serde_json::from_slice(artifact.file(Name::Index).unwrap()).unwrap()
}

/// The names of the index and the parts of the block that it gives them.
pub(crate) fn fragments(artifact: &Artifact) -> Vec<(String, String)> {
    let index = index(artifact);
    let fragment = |skill: &Value| {
        let edge = |key: &str| skill["fragment"][key].as_u64().unwrap() as usize;
        (skill["name"].as_str().unwrap().to_owned(), block(artifact)[edge("start")..edge("end")].to_owned())
    };
    index["skills"].as_array().unwrap().iter().map(fragment).collect()
}
