//! The cases, as catalogs in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use skilltree_front_matter::Bounds;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::limits::Limits;
use skilltree_skills::roots::{RootPattern, RootSet};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry};

use crate::conformance::observation::directory;
use crate::packed;

/// All cases.
pub(crate) struct Cases {
    /// One root per skill, so that no two influence each other.
    pub(crate) skills: Catalog,
    pub(crate) trees: BTreeMap<String, Tree>,
    pub(crate) roots: Roots,
    budget: Budget,
    list: Vec<(String, Vec<u8>)>,
}

/// Layout of skills.
#[derive(Deserialize)]
pub(crate) struct Tree {
    #[serde(rename = "about")]
    _about: String,
    pub(crate) paths: Vec<String>,
    #[serde(default)]
    pub(crate) names: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) sizes: BTreeMap<String, usize>,
    #[serde(default)]
    pub(crate) links: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) order: bool,
    #[serde(default, rename = "reports")]
    _reports: bool,
}

/// Directories that a program may read.
#[derive(Deserialize)]
pub(crate) struct Roots {
    pub(crate) repository: Vec<String>,
    pub(crate) user: Vec<String>,
}

#[derive(Deserialize)]
struct Budget {
    name: String,
    descriptions: Vec<String>,
}

impl Cases {
    pub(crate) fn read() -> Self {
        let (trees, roots, budget) = (load("trees.toml"), load("roots.toml"), load("budget.toml"));
        let list = packed::load(&directory().join("cases/list.txt"));
        Self { skills: skills(&directory().join("cases/skills")), trees, roots, budget, list }
    }

    /// Returns the catalog of the short list, all in one root.
    pub(crate) fn list(&self, root: &str) -> Catalog {
        let skill = |(name, text): &(String, Vec<u8>)| (format!("{root}/{name}/SKILL.md"), Content::File(text.clone()));
        catalog(self.list.iter().map(skill).collect(), &[root])
    }

    /// Returns the catalog of the skills of a budget, all in one root.
    pub(crate) fn budget(&self, root: &str, count: usize) -> Catalog {
        let skill = |number: usize| {
            let name = self.budget.name.replace("{n}", &number.to_string());
            let text = text(&name, &self.budget.description(number), 0);
            (format!("{root}/{name}/SKILL.md"), Content::File(text))
        };
        catalog((1..=count).map(skill).collect(), &[root])
    }

    /// Returns the characters of each description of a budget.
    pub(crate) fn lengths(&self, count: usize) -> Vec<i64> {
        (1..=count).map(|number| self.budget.description(number).chars().count() as i64).collect()
    }
}

impl Budget {
    fn description(&self, number: usize) -> String {
        self.descriptions[number % self.descriptions.len()].replace("{n}", &number.to_string())
    }
}

/// Reads skills, each in its own root. The place is a packed file, or a directory of packed files and of directories with a SKILL.md.
pub(crate) fn skills(place: &Path) -> Catalog {
    let mut skills = Vec::new();
    if place.is_file() {
        skills.extend(packed::load(place));
    } else {
        for entry in fs::read_dir(place).unwrap_or_else(|error| panic!("{}: {error}", place.display())) {
            let entry = entry.unwrap();
            if entry.path().is_file() {
                skills.extend(packed::load(&entry.path()));
            } else {
                let name = entry.file_name().into_string().unwrap();
                skills.push((name, fs::read(entry.path().join("SKILL.md")).unwrap()));
            }
        }
    }
    let path = |name: String| format!("{name}/skills/{name}/SKILL.md");
    catalog(skills.into_iter().map(|(name, bytes)| (path(name), Content::File(bytes))).collect(), &["*/skills"])
}

fn load<T: DeserializeOwned>(name: &str) -> T {
    toml::from_str(&fs::read_to_string(directory().join("cases").join(name)).unwrap()).unwrap()
}

/// Returns an ordinary SKILL.md, with a body of at least `body` bytes, as the runner writes it.
pub(crate) fn text(name: &str, description: &str, body: usize) -> Vec<u8> {
    let line = "x".repeat(63) + "\n";
    let (lines, last) = (line.repeat(body / 64), "x".repeat(body % 64));
    format!("---\nname: {name}\ndescription: {description}\n---\n\nRead it.\n{lines}{last}").into_bytes()
}

/// Reads files as a catalog, with the default limits of a check.
pub(crate) fn catalog(files: Vec<(String, Content)>, roots: &[&str]) -> Catalog {
    let entries = files.into_iter().map(|(path, content)| Entry { path: path.into(), content }).collect();
    let pattern = |glob: &&str| RootPattern::configured(glob, "symphony");
    let roots = RootSet { patterns: roots.iter().map(pattern).collect(), ..RootSet::within(&Limits::default()) };
    let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };
    Catalog::new(source::memory(Origin::Memory, entries).read(&roots, bounds).unwrap())
}

/// Returns the name of a skill's directory and its number, for every skill.
pub(crate) fn by_directory(catalog: &Catalog) -> BTreeMap<String, SkillId> {
    catalog.skills().map(|(id, skill)| (skill.directory.to_string(), id)).collect()
}
