//! What a runtime was seen to do with a file: what holds a profile to the program.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::outcome::Said;

/// A file, and what the runtime was seen to do with it. A test follows the profile over the same file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    /// What is odd about the file, in a few words.
    pub what: String,
    /// Its text.
    pub file: String,
    /// Where it lies below the root.
    #[serde(default = "usual_path")]
    pub path: String,
    /// Other files below the root, by their paths.
    #[serde(default)]
    pub beside: BTreeMap<String, String>,
    /// What became of the skill.
    pub outcome: Seen,
    /// The name that the model was shown, where that was looked at.
    #[serde(default)]
    pub name: Option<String>,
    /// The description that the model was shown, where that was looked at.
    #[serde(default)]
    pub description: Option<String>,
    /// How the program told of it, where that was looked at.
    #[serde(default)]
    pub said: Option<Said>,
    /// Who observed it how.
    pub source: String,
    /// The version at which it was so.
    #[serde(default)]
    pub version: Option<String>,
}

/// What became of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// It loaded; with what is said by the name and the description.
    Loads,
    /// It did not load.
    Dropped,
}

fn usual_path() -> String {
    "demo/SKILL.md".to_owned()
}
