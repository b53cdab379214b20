//! What a runtime does with a skill, and how the runtime reports it.

use serde::Deserialize;

/// What a runtime does with a skill: the vocabulary of every output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It loads the skill unchanged.
    Loads,
    /// It loads the skill, and the model is shown changed or incomplete text.
    Changes,
    /// It does not load the skill.
    Drops,
    /// Unknown.
    Unknown,
    /// It does not read the skills directory.
    NotRead,
}

impl Outcome {
    /// Returns the word for it in output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Changes => "changes",
            Self::Drops => "drops",
            Self::Unknown => "unknown",
            Self::NotRead => "not-read",
        }
    }
}

/// How a runtime handles a skill or one of its values: the detail of a profile from which a forecast derives the
/// [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handling {
    /// The skill loads unchanged.
    Loads,
    /// The skill loads after the runtime repaired it; see [`super::reading::Repair`].
    Repairs,
    /// The skill loads with a changed value.
    Changes,
    /// The skill loads with a truncated value.
    Truncates,
    /// The skill loads, and all fields of the front matter are lost.
    LosesFields,
    /// The skill is listed without its description.
    LosesDescription,
    /// The skill loads with an empty body.
    LosesBody,
    /// The front matter is read as part of the body.
    IgnoresFrontMatter,
    /// The skill does not load.
    Drops,
    /// The skill and all skills after it do not load.
    AbortsScan,
}

/// How a runtime reports what it does with a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reported {
    /// Visible to the user.
    Error,
    /// In a log or a diagnostics view.
    Log,
    /// Silently.
    Nothing,
}

impl Reported {
    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Log => "log",
            Self::Nothing => "nothing",
        }
    }
}

/// Handling and how the runtime reports it. In a profile either the handling alone, or `{ handling = "drops", reported =
/// "log" }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Verdict {
    /// What the runtime does.
    pub handling: Handling,
    /// How the runtime reports it; `None` if unknown or not applicable.
    pub reported: Option<Reported>,
}

impl Verdict {
    /// The skill loads with changes, without a message.
    pub(crate) const CHANGES_SILENTLY: Self = Self { handling: Handling::Changes, reported: Some(Reported::Nothing) };
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a handling, or a table with `handling` and `reported`")]
enum Written {
    Word(Handling),
    Table(Table),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    handling: Handling,
    reported: Reported,
}

impl From<Written> for Verdict {
    fn from(written: Written) -> Self {
        match written {
            Written::Word(handling) => Self { handling, reported: None },
            Written::Table(Table { handling, reported }) => Self { handling, reported: Some(reported) },
        }
    }
}
