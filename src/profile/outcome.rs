//! What becomes of a skill in a runtime, and whether the runtime says anything about it.

use serde::Deserialize;

/// What becomes of a skill, or of a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It loads as it is written.
    Loads,
    /// It loads after a repair of the runtime's own; see [`super::files::Repair`].
    Repaired,
    /// It loads with another value than the one that is written.
    Altered,
    /// It loads with a shorter value than the one that is written.
    Cut,
    /// It loads, and every field of the front matter is lost.
    FieldsLost,
    /// It is listed without its description.
    DescriptionLost,
    /// It loads with an empty body.
    BodyLost,
    /// The front matter is taken for a part of the body.
    FrontMatterIgnored,
    /// It does not load.
    Dropped,
    /// It does not load, and neither does any skill that would have been read after it.
    ScanAborted,
}

/// How a runtime tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Where its user sees it.
    Error,
    /// In a log or a diagnostics view.
    Log,
    /// Not at all.
    Nothing,
}

impl Said {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Log => "log",
            Self::Nothing => "nothing",
        }
    }
}

/// An outcome and how the runtime tells of it. In a profile either the word alone, or
/// `{ outcome = "dropped", said = "log" }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Verdict {
    /// What becomes of the skill.
    pub outcome: Outcome,
    /// How the runtime tells of it; `None` when unknown, or when there is nothing to tell.
    pub said: Option<Said>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "an outcome, or a table of `outcome` and `said`")]
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
