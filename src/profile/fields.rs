//! What a runtime demands of a field, and what it makes of one that does not comply.

use serde::Deserialize;

use super::outcome::Verdict;

/// What becomes of a skill whose field is not as the runtime wants it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FieldRule {
    /// The field is absent.
    pub missing: Option<Verdict>,
    /// The field is null: `description:` and nothing behind it.
    pub null: Option<Verdict>,
    /// The value is a text of white space.
    pub blank: Option<Verdict>,
    /// What stands in for a value that is absent, null or blank.
    pub instead: Option<Instead>,
    /// The value is a text where something else is wanted (`metadata: hello`).
    pub text: Option<Verdict>,
    /// The value is a number.
    pub number: Option<Verdict>,
    /// The value is `true`, `yes` or one of their kin.
    pub boolean: Option<Verdict>,
    /// The value is a date.
    pub date: Option<Verdict>,
    /// The value is a list.
    pub list: Option<Verdict>,
    /// The value is a map.
    pub map: Option<Verdict>,
    /// The regular expression that a value has to match.
    pub pattern: Option<String>,
    /// The value does not match the pattern.
    pub malformed: Option<Verdict>,
    /// What is done to the white space of a value.
    pub white_space: Option<WhiteSpace>,
}

/// What stands in for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Instead {
    /// The name of the skill's directory.
    Directory,
    /// The first paragraph of the body.
    FirstParagraph,
    /// The body from its start.
    Body,
    /// An empty text.
    Empty,
}

/// What is done to the white space of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhiteSpace {
    /// Nothing.
    Kept,
    /// It is removed at both ends.
    Trimmed,
    /// It is removed at both ends, and every run of it becomes one space.
    Collapsed,
    /// Only the first line is read.
    FirstLine,
}

/// What a runtime makes of the keys of a front matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Keys {
    /// The keys that mean something to the runtime.
    pub known: Vec<String>,
    /// A key that means nothing to it.
    pub unknown: Option<Verdict>,
    /// A key that, set to `true`, takes the skill out of what the model is shown.
    pub unlists: Option<String>,
}
