//! The observations, as `conformance/run` writes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skilltree_runtimes::profile::{Profile, Reported};

/// What one version of a program did.
#[derive(Debug, Deserialize)]
pub(crate) struct Observation {
    pub(crate) runtime: String,
    pub(crate) version: String,
    pub(crate) observed: String,
    pub(crate) repository: String,
    pub(crate) root: String,
    pub(crate) sees: Vec<String>,
    pub(crate) skills: BTreeMap<String, Cell>,
    #[serde(default)]
    pub(crate) trees: BTreeMap<String, Tree>,
    pub(crate) roots: Option<Roots>,
    #[serde(default)]
    pub(crate) precedence: Vec<[String; 3]>,
    #[serde(default)]
    pub(crate) budgets: BTreeMap<String, BTreeMap<String, Budget>>,
    pub(crate) list: Option<String>,
}

/// What was seen of one skill.
#[derive(Debug, Deserialize)]
pub(crate) struct Cell {
    pub(crate) fate: String,
    pub(crate) name: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) description: Option<String>,
    reported: Option<String>,
}

impl Cell {
    /// Returns how the program reported the skill.
    pub(crate) fn reported(&self) -> Reported {
        reported(self.reported.as_deref())
    }
}

/// Returns the report with a word of the runner.
fn reported(word: Option<&str>) -> Reported {
    match word {
        None => Reported::Nothing,
        Some("error") => Reported::Error,
        Some(_) => Reported::Log,
    }
}

/// Numbers of the listed skills of a tree.
#[derive(Debug, Deserialize)]
pub(crate) struct Tree {
    #[serde(default)]
    pub(crate) listed: Vec<usize>,
    pub(crate) varies: Option<String>,
    #[serde(default)]
    pub(crate) fails: bool,
    reported: Option<BTreeMap<String, String>>,
}

impl Tree {
    /// Returns how the program reported a skill; `None` if that was not observed.
    pub(crate) fn reported(&self, number: usize) -> Option<Reported> {
        let reports = self.reported.as_ref()?;
        Some(reported(reports.get(&number.to_string()).map(String::as_str)))
    }
}

/// Directories that the program reads.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Roots {
    pub(crate) repository: Vec<String>,
    pub(crate) repository_otherwise: Vec<String>,
    pub(crate) user: Vec<String>,
    pub(crate) user_otherwise: Vec<String>,
    pub(crate) from_a_subdirectory: BTreeMap<String, Vec<String>>,
    pub(crate) below_the_working_directory: Vec<String>,
}

/// What the model is shown of many skills.
#[derive(Debug, Deserialize)]
pub(crate) struct Budget {
    pub(crate) shown: Vec<i64>,
}

impl Observation {
    /// Returns whether a member of a skill can be observed.
    pub(crate) fn sees(&self, member: &str) -> bool {
        self.sees.iter().any(|seen| seen == member)
    }
}

/// The directory of the conformance suite.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

/// Returns the ids of all profiles.
pub(crate) fn profiles() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/runtimes/src/profiles");
    let paths = fs::read_dir(directory).unwrap().map(|file| file.unwrap().path());
    let profiles = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    profiles.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Reads the profile of a runtime from its file, not from the program: a changed value needs no build.
pub(crate) fn profile(id: &str) -> Profile {
    parse(&source(id)).unwrap_or_else(|error| panic!("{id}.toml: {error}"))
}

/// Parses a profile, which may extend another file.
pub(crate) fn parse(text: &str) -> Result<Profile, toml::de::Error> {
    Profile::parse_with(text, &file)
}

/// Returns the text of a profile's file.
pub(crate) fn source(id: &str) -> String {
    file(id).unwrap_or_else(|| panic!("no profile has the id `{id}`"))
}

fn file(id: &str) -> Option<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/runtimes/src/profiles");
    fs::read_to_string(directory.join(format!("{id}.toml"))).ok()
}

/// Reads all committed observations.
pub(crate) fn all() -> Vec<Observation> {
    of(&directory().join("observed"))
}

/// Reads all observations in a directory, sorted by file name.
pub(crate) fn of(directory: &Path) -> Vec<Observation> {
    let files = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let read = |path: &PathBuf| {
        let found: Observation = serde_json::from_slice(&fs::read(path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(path.file_stem().unwrap().to_str().unwrap(), format!("{}@{}", found.runtime, found.version));
        found
    };
    paths.iter().map(read).collect()
}
