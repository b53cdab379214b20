//! Observed behavior of a runtime for one file, to check its profile against.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::outcome::Reported;

/// File and its observed outcome. A test forecasts the same file from the profile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    /// Short description of the defect in the file.
    pub what: String,
    /// Content of the file.
    pub file: String,
    /// Path below the root.
    #[serde(default = "usual_path")]
    pub path: String,
    /// Other files below the root, by path.
    #[serde(default, rename = "other-files")]
    pub extra_files: BTreeMap<String, String>,
    /// Outcome for the skill.
    pub outcome: Observed,
    /// Name shown to the model, if observed.
    #[serde(default)]
    pub name: Option<String>,
    /// Description shown to the model, if observed.
    #[serde(default)]
    pub description: Option<String>,
    /// How the program reported the skill, if observed.
    #[serde(default)]
    pub reported: Option<Reported>,
    /// Who observed it and how.
    pub source: String,
    /// Version of the observed program.
    #[serde(default)]
    pub version: Option<String>,
}

/// Observed outcome for a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observed {
    /// The skill loaded, with the name and description given in the case.
    Loads,
    /// The skill did not load.
    Drops,
}

fn usual_path() -> String {
    "demo/SKILL.md".to_owned()
}
