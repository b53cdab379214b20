//! What a runtime demands of a field, and what it makes of one that does not comply.

use serde::Deserialize;

use super::outcome::Verdict;
use super::pattern::Pattern;

/// What becomes of a skill whose field is not as the runtime wants it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FieldRule {
    /// The field is absent.
    pub missing: Option<Verdict>,
    /// The field is null: `description:` and nothing behind it.
    pub null: Option<Verdict>,
    /// The value is a text of white space, or an empty list.
    pub blank: Option<Verdict>,
    /// The value is an empty text; what `blank` says when nothing is said here.
    pub empty: Option<Verdict>,
    /// What stands in for a value that is absent, null or blank, where the skill loads all the same.
    pub instead: Option<Instead>,
    /// The text of `instead = "text"`.
    pub instead_text: Option<String>,
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
    /// What a value has to match.
    pub pattern: Option<Pattern>,
    /// The value does not match the pattern.
    pub malformed: Option<Verdict>,
    /// The words of which the value has to hold one, whatever the letter case.
    pub words: Vec<String>,
    /// The value holds none of the words.
    pub no_word: Option<Verdict>,
    /// Characters of the value that are replaced by others.
    pub replaced: Option<Replaced>,
    /// Characters that are removed at both ends of the value.
    pub stripped: String,
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
    /// A text of the runtime's own.
    Text,
}

/// What is replaced in a value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Replaced {
    /// What matches.
    pub pattern: Pattern,
    /// What stands in its place.
    pub with: String,
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
