//! Outcome for a skill in a runtime, and how the runtime reports it.

use serde::Deserialize;

/// Outcome for a skill or for one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The skill loads unchanged.
    Loads,
    /// The skill loads after the runtime repaired it; see [`super::reading::Repair`].
    Repaired,
    /// The skill loads with a changed value.
    Altered,
    /// The skill loads with a truncated value.
    Cut,
    /// The skill loads, and all fields of the front matter are lost.
    FieldsLost,
    /// The skill is listed without its description.
    DescriptionLost,
    /// The skill loads with an empty body.
    BodyLost,
    /// The front matter is read as part of the body.
    FrontMatterIgnored,
    /// The skill does not load.
    Dropped,
    /// The skill and all skills after it do not load.
    ScanAborted,
}

/// How a runtime reports an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Visible to the user.
    Error,
    /// In a log or a diagnostics view.
    Log,
    /// Silently.
    Nothing,
}

impl Said {
    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Log => "log",
            Self::Nothing => "nothing",
        }
    }
}

/// Outcome and how the runtime reports it. In a profile either the outcome alone, or `{ outcome = "dropped", said =
/// "log" }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Verdict {
    /// Outcome for the skill.
    pub outcome: Outcome,
    /// How the runtime reports it; `None` if unknown or not applicable.
    pub said: Option<Said>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "an outcome, or a table with `outcome` and `said`")]
enum Written {
    Word(Outcome),
    Table(Table),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    outcome: Outcome,
    said: Said,
}

impl From<Written> for Verdict {
    fn from(written: Written) -> Self {
        match written {
            Written::Word(outcome) => Self { outcome, said: None },
            Written::Table(Table { outcome, said }) => Self { outcome, said: Some(said) },
        }
    }
}
